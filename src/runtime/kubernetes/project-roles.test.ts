import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApiServer } from '../../../test/kubernetes-fake/fake-api-server.ts';
import { FakeCluster } from '../../../test/kubernetes-fake/fake-cluster.ts';
import { KubeClient } from './client/kube-client.ts';
import { kubePaths } from './client/kube-paths.ts';
import { type AccountsByRole, ProjectRoles } from './project-roles.ts';

const both = { 'zun-api': 'zun-system/api', 'zun-compute': 'zun-system/compute' };

async function setUp(roles: AccountsByRole) {
  const stack = new AsyncDisposableStack();
  const fake = stack.use(await FakeApiServer.start());
  const cluster = new FakeCluster();
  fake.answer = cluster.answer;
  const client = new KubeClient(fake.config());
  stack.defer(() => client.close());
  return {
    fake,
    cluster,
    roles: new ProjectRoles(client, 'zun', roles),
    calls: () => fake.asked.splice(0).map(({ method, path }) => `${method} ${path}`),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('of many namespaces those are bound in that lack a role, after one look', async () => {
  await using bench = await setUp(both);
  await bench.roles.bind('bound');
  await bench.roles.bind('half');
  bench.cluster.remove(`${kubePaths.roleBindings('half')}/zun-api`);
  bench.calls();
  await bench.roles.bindWhereMissing(['bound', 'half', 'new']);
  assert.deepEqual(
    bench.calls().toSorted(),
    [
      `GET ${kubePaths.roleBindings()}`,
      ...['half', 'half', 'new', 'new'].map((namespace) => `POST ${kubePaths.roleBindings(namespace)}`),
    ].toSorted(),
  );
  await bench.roles.bindWhereMissing(['bound', 'half', 'new']);
  assert.deepEqual(bench.calls(), [`GET ${kubePaths.roleBindings()}`]);
});

test('a namespace where nothing can be bound keeps nobody from the others; a server that fails is told', async () => {
  await using bench = await setUp(both);
  const refuse = (status: number, reason: string) => {
    bench.fake.answer = (asked) => {
      if (asked.method === 'POST' && asked.path === kubePaths.roleBindings('goes'))
        asked.refuse(status, reason, 'unable to create new content in namespace goes because it is being terminated');
      else bench.cluster.answer(asked);
    };
  };
  refuse(403, 'Forbidden');
  await bench.roles.bindWhereMissing(['goes', 'new']);
  assert.ok(bench.cluster.objects.has(`${kubePaths.roleBindings('new')}/zun-api`));
  refuse(500, 'InternalError');
  await assert.rejects(bench.roles.bindWhereMissing(['goes', 'new']), { status: 500 });
});

test('without roles nothing is asked', async () => {
  await using bench = await setUp({});
  assert.equal(await bench.roles.bind('n'), false);
  await bench.roles.bindWhereMissing(['n']);
  assert.deepEqual(bench.calls(), []);
});
