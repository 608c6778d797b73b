import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApiServer } from '../../../test/kubernetes-fake/fake-api-server.ts';
import { createOnce } from './client/create-once.ts';
import { KubeClient } from './client/kube-client.ts';
import { ProjectNamespaces } from './project-namespaces.ts';
import type { AccountsByRole } from './project-roles.ts';

/** An API server that keeps namespaces and makes objects in those that it has. `roles`: see `ProjectNamespaces`. */
async function setUp(roles: AccountsByRole = {}) {
  const fake = await FakeApiServer.start();
  /** Of every namespace that is there. */
  const bench = { labels: { 'app.kubernetes.io/managed-by': 'zun', 'app.kubernetes.io/instance': 'zun' } as Record<string, string> };
  const there = new Set<string>();
  fake.answer = (asked) => {
    const [, , , , namespace] = asked.path.split('/');
    if (namespace !== undefined && !there.has(namespace) && !asked.path.startsWith('/apis'))
      return asked.refuse(404, 'NotFound', `namespaces "${namespace}" not found`);
    const { name } = namespace === undefined && asked.method === 'POST' ? JSON.parse(asked.body).metadata : { name: '' };
    if (there.has(name)) return asked.refuse(409, 'AlreadyExists', `namespaces "${name}" already exists`);
    if (name !== '') there.add(name);
    asked.json(asked.method === 'GET' ? 200 : 201, asked.method === 'GET' ? { metadata: { labels: bench.labels } } : {});
  };
  const client = new KubeClient(fake.config());
  const stack = new AsyncDisposableStack();
  stack.use(fake);
  stack.defer(() => client.close());
  const asked = () => fake.asked.map(({ method, path }) => `${method} ${path}`);
  const namespaces = new ProjectNamespaces(client, 'zun', roles);
  client.onLackOfRight((path) => namespaces.regain(path));
  const make = () => namespaces.within('n', 'p', () => createOnce(client, '/api/v1/namespaces/n/secrets', { metadata: { name: 's' } }));
  return Object.assign(bench, { fake, there, client, namespaces, asked, make, [Symbol.asyncDispose]: () => stack.disposeAsync() });
}

const madeAnew = [
  'POST /api/v1/namespaces',
  'POST /apis/networking.k8s.io/v1/namespaces/n/networkpolicies',
  'POST /api/v1/namespaces/n/secrets',
];

test('a namespace is made once, with what keeps others out of it', async () => {
  await using bench = await setUp();
  await bench.make();
  await bench.make();
  assert.deepEqual(bench.asked(), [...madeAnew, 'POST /api/v1/namespaces/n/secrets']);
});

test('a namespace that somebody has removed is made anew, and what was to be made in it', async () => {
  await using bench = await setUp();
  await bench.make();
  bench.there.clear();
  await bench.make();
  assert.deepEqual(bench.asked(), [...madeAnew, 'POST /api/v1/namespaces/n/secrets', ...madeAnew]);
});

test('a namespace that goes again at once, and any other refusal, is told', async () => {
  await using bench = await setUp();
  await bench.make();
  const { answer } = bench.fake;
  bench.fake.answer = (asked) => {
    if (asked.path.endsWith('/secrets')) asked.refuse(404, 'NotFound', 'namespaces "n" not found');
    else answer(asked);
  };
  await assert.rejects(bench.make(), { status: 404 });
  bench.fake.answer = (asked) => asked.refuse(403, 'Forbidden', 'exceeded quota');
  const before = bench.asked().length;
  await assert.rejects(bench.make(), { status: 403 });
  assert.equal(bench.asked().length, before + 1);
});

const roles = { 'zun-api': 'zun-system/api', 'zun-compute': 'zun-system/compute' };
const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/n/rolebindings';

test('what the programs may do in a namespace is bound when it is made, before anything else is done in it', async () => {
  await using bench = await setUp(roles);
  await bench.make();
  const [namespaces, ...others] = madeAnew;
  assert.deepEqual(bench.asked(), [namespaces, `POST ${bindings}`, `POST ${bindings}`, ...others]);
  const bound = bench.fake.asked.filter(({ path }) => path === bindings).map(({ body }) => JSON.parse(body));
  assert.deepEqual(bound.map(({ metadata, roleRef, subjects }) => [metadata.name, roleRef.kind, roleRef.name, subjects]).toSorted(), [
    ['zun-api', 'ClusterRole', 'zun-api', [{ kind: 'ServiceAccount', namespace: 'zun-system', name: 'api' }]],
    ['zun-compute', 'ClusterRole', 'zun-compute', [{ kind: 'ServiceAccount', namespace: 'zun-system', name: 'compute' }]],
  ]);
});

test("a namespace of that name that is another's is left as it is, and told", async () => {
  await using bench = await setUp(roles);
  bench.there.add('n');
  bench.labels = { 'app.kubernetes.io/managed-by': 'zun', 'app.kubernetes.io/instance': 'another' };
  await assert.rejects(bench.make(), {
    kind: 'conflict',
    message:
      'The namespace n is in use and is not of this Zun: it lacks the labels app.kubernetes.io/managed-by=zun, app.kubernetes.io/instance=zun.',
  });
  assert.deepEqual(bench.asked(), ['POST /api/v1/namespaces', 'GET /api/v1/namespaces/n']);
});

/** Has the server refuse, for want of a right, all but namespaces and bindings, until it has been asked for the bindings so often. */
function lackRights({ fake }: Awaited<ReturnType<typeof setUp>>, untilBound: number): void {
  const { answer } = fake;
  let bound = 0;
  fake.answer = (asked) => {
    if (asked.path === bindings) bound += 1;
    const isFree = asked.path === bindings || /^\/api\/v1\/namespaces(\/n)?$/.test(asked.path) || bound >= untilBound;
    if (isFree) answer(asked);
    else
      asked.refuse(403, 'Forbidden', 'secrets is forbidden: User "u" cannot list resource "secrets" in API group "" in the namespace "n"');
  };
}

const list = (bench: Awaited<ReturnType<typeof setUp>>, namespace = 'n') =>
  bench.client.request({ method: 'GET', path: `/api/v1/namespaces/${namespace}/secrets` });

test('a call that lacks a right in a namespace of this installation has the roles bound there, and is made again', async () => {
  await using bench = await setUp(roles);
  bench.there.add('n');
  lackRights(bench, 2);
  await list(bench);
  const secrets = 'GET /api/v1/namespaces/n/secrets';
  assert.deepEqual(bench.asked(), [secrets, 'GET /api/v1/namespaces/n', `POST ${bindings}`, `POST ${bindings}`, secrets]);
});

test('nothing is bound in a namespace of others, nor where there are no roles, nor after a refusal that is no lack of a right', async () => {
  await using bench = await setUp(roles);
  await using withoutRoles = await setUp();
  for (const each of [bench, withoutRoles]) {
    each.there.add('n');
    lackRights(each, Number.POSITIVE_INFINITY);
  }
  bench.labels = {};
  for (const each of [bench, withoutRoles]) {
    await assert.rejects(list(each), { status: 403 });
    assert.deepEqual(each.asked(), ['GET /api/v1/namespaces/n/secrets', 'GET /api/v1/namespaces/n']);
  }
  bench.fake.answer = (asked) => asked.refuse(403, 'Forbidden', 'exceeded quota');
  const before = bench.asked().length;
  await assert.rejects(list(bench), { status: 403 });
  assert.equal(bench.asked().length, before + 1);
});

test('the right to bind is not sought by binding, and who lacks it is told what else was refused', async () => {
  await using bench = await setUp(roles);
  bench.there.add('n');
  lackRights(bench, Number.POSITIVE_INFINITY);
  const { answer } = bench.fake;
  bench.fake.answer = (asked) => {
    if (asked.path === bindings)
      asked.refuse(403, 'Forbidden', 'rolebindings is forbidden: User "u" cannot create resource "rolebindings" in the namespace "n"');
    else answer(asked);
  };
  await assert.rejects(list(bench), { status: 403, message: /cannot list resource "secrets"/ });
  assert.equal(bench.asked().filter((asked) => asked === 'GET /api/v1/namespaces/n').length, 1);
});

test('who may not look at namespaces is told what else was refused, too', async () => {
  await using bench = await setUp(roles);
  bench.there.add('n');
  lackRights(bench, Number.POSITIVE_INFINITY);
  const { answer } = bench.fake;
  bench.fake.answer = (asked) => {
    if (asked.path === '/api/v1/namespaces/n')
      asked.refuse(403, 'Forbidden', 'namespaces "n" is forbidden: User "u" cannot get resource "namespaces" in the namespace "n"');
    else answer(asked);
  };
  await assert.rejects(list(bench), { status: 403, message: /cannot list resource "secrets"/ });
});

test('a call in a namespace that is gone is told that, whatever else it lacks', async () => {
  await using bench = await setUp(roles);
  lackRights(bench, Number.POSITIVE_INFINITY);
  await assert.rejects(list(bench), { status: 404, message: 'namespaces "n" not found' });
});

test('a project whose namespace somebody has removed gets it again, with its roles, where that shows as a lack of rights', async () => {
  await using bench = await setUp(roles);
  await bench.make();
  bench.there.clear();
  const { answer } = bench.fake;
  bench.fake.answer = (asked) => {
    if (asked.path.endsWith('/secrets') && !bench.there.has('n'))
      asked.refuse(403, 'Forbidden', 'secrets is forbidden: User "u" cannot create resource "secrets" in the namespace "n"');
    else answer(asked);
  };
  await bench.make();
  assert.deepEqual([...bench.there], ['n']);
  assert.equal(bench.asked().filter((asked) => asked === `POST ${bindings}`).length, 4);
});
