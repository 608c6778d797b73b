import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApiServer } from '../../../test/kubernetes-fake/fake-api-server.ts';
import { createOnce } from './client/create-once.ts';
import { KubeClient } from './client/kube-client.ts';
import { ProjectNamespaces } from './project-namespaces.ts';

/** An API server that keeps namespaces and makes objects in those that it has. */
async function setUp() {
  const fake = await FakeApiServer.start();
  const there = new Set<string>();
  fake.answer = (asked) => {
    const [, , , , namespace] = asked.path.split('/');
    if (namespace !== undefined && !there.has(namespace) && !asked.path.startsWith('/apis'))
      return asked.refuse(404, 'NotFound', `namespaces "${namespace}" not found`);
    if (namespace === undefined) there.add(JSON.parse(asked.body).metadata.name);
    asked.json(201, {});
  };
  const client = new KubeClient(fake.config());
  const stack = new AsyncDisposableStack();
  stack.use(fake);
  stack.defer(() => client.close());
  const asked = () => fake.asked.map(({ method, path }) => `${method} ${path}`);
  const namespaces = new ProjectNamespaces(client, 'zun');
  const make = () => namespaces.within('n', 'p', () => createOnce(client, '/api/v1/namespaces/n/secrets', { metadata: { name: 's' } }));
  return { fake, there, asked, make, [Symbol.asyncDispose]: () => stack.disposeAsync() };
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
