import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { LocalAdapters } from '../../../src/programs/local-adapters.ts';
import { plainWorkload } from '../../../src/runtime/plain-workload.ts';
import { until } from '../../system/engine/until.ts';
import { ChartAccounts } from './chart-accounts.ts';
import { releaseNamespace } from './rendered-chart.ts';

let accounts: ChartAccounts;
let compute: LocalAdapters['runtime'];
let api: LocalAdapters['runtime'];
before(async () => {
  accounts = await ChartAccounts.install({ config: { kubernetes: { defaultRuntimeClass: '' } } });
  // Empties namespaces that are deleted.
  await accounts.cluster.start('kube-controller-manager');
  compute = (await accounts.adapters('compute')).runtime;
  api = (await accounts.adapters('api')).runtime;
});
after(() => accounts.remove());

/** Has an older release make a container, of a project of its own: with all rights, and without a role for any namespace. */
async function madeBefore(namespacePrefix = 'zun-'): Promise<{ uuid: string; namespace: string }> {
  const { runtime } = await accounts.adapters('compute', undefined, ({ kubernetes }) =>
    Object.assign(kubernetes, { kubeconfig: accounts.cluster.kubeconfig, projectRoles: {}, namespacePrefix }),
  );
  const [uuid, projectId] = [randomUUID(), randomUUID().replaceAll('-', '')];
  await runtime.create(plainWorkload({ uuid, projectId, image: 'any' }));
  return { uuid, namespace: `${namespacePrefix}${projectId}` };
}

async function bindingsIn(namespace: string): Promise<string[]> {
  const printed = await accounts.cluster.kubectl('get', 'rolebindings', `--namespace=${namespace}`, '--output=name');
  return printed.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^.*\//, '')]));
}

const bindings = ['api', 'compute', 'wsproxy'].map((program) => `${releaseNamespace}-zun-${program}-project`);

/** Looks at what is in no database, so that its namespace is looked for among all. */
const look = async (runtime: LocalAdapters['runtime'], uuid: string) => (await runtime.inspect(uuid))?.state.status ?? null;

test('a namespace that an older release has made is given its roles at the first call in it', async () => {
  const { uuid, namespace } = await madeBefore();
  assert.deepEqual(await bindingsIn(namespace), []);
  // Not the API's to give.
  await assert.rejects(look(api, uuid), /lacks a right in Kubernetes \(RBAC\)/);
  assert.deepEqual(await bindingsIn(namespace), []);
  assert.equal(await look(compute, uuid), 'created');
  assert.deepEqual(await bindingsIn(namespace), bindings);
  await until('the API may', async () => ((await look(api, uuid)) === 'created' ? true : null));
});

test('a listing gives their roles to all namespaces that lack one, and tells what is in them', async () => {
  const old = await Promise.all([1, 2, 3].map(() => madeBefore()));
  const [{ uuid, namespace }] = old as [(typeof old)[0]];
  const listed = async () => (await compute.list()).map((observation) => observation.uuid);
  const all = await until('all are listed', async () => {
    const uuids = await listed();
    return old.every((one) => uuids.includes(one.uuid)) ? uuids : null;
  });
  assert.ok(all.length >= old.length);
  for (const one of old) assert.deepEqual(await bindingsIn(one.namespace), bindings);
  await accounts.cluster.kubectl('delete', 'rolebinding', bindings[0] ?? '', `--namespace=${namespace}`);
  await listed();
  assert.deepEqual(await bindingsIn(namespace), bindings);
  await until('the API may', async () => ((await look(api, uuid)) === 'created' ? true : null));
});

test('roles that are bound before an upgrade as the documentation says are those that would be bound', async () => {
  const { uuid, namespace } = await madeBefore();
  const document = await readFile(path.join(import.meta.dirname, '../../../docs/DEPLOYING.md'), 'utf8');
  const [script = ''] = /^ {4}own=(.*\n {4})+done$/m.exec(document) ?? [];
  const { exitCode, stderr } = await accounts.cluster.exec(['sh', '-c', script]);
  // Others have theirs already.
  assert.match(stderr, /^(error: failed to create rolebinding: rolebindings\.\S+ "\S+" already exists\n)*$/, stderr);
  assert.equal(exitCode, 0);
  assert.deepEqual(await bindingsIn(namespace), bindings);
  const calls: string[] = [];
  const { runtime } = await accounts.adapters('compute', (operation) => {
    calls.push(operation);
    return () => {};
  });
  const seen = async () => ((await runtime.list()).some((one) => one.uuid === uuid) ? true : null);
  await until('it is listed', seen);
  assert.deepEqual(
    calls.filter((call) => call.startsWith('POST')),
    [],
  );
});

test('a namespace that cannot be read keeps nobody from the others, and what is in it is not thought gone', async () => {
  const known = await madeBefore();
  // Not to be bound in: the policies know the prefix.
  const unknown = await madeBefore('before-');
  assert.equal(await look(compute, known.uuid), 'created');
  const uuids = (await compute.list()).map(({ uuid }) => uuid);
  assert.deepEqual([uuids.includes(known.uuid), uuids.includes(unknown.uuid)], [true, false]);
  await assert.rejects(look(compute, unknown.uuid), /Zun binds roles in its namespaces of projects only/);
  await assert.rejects(compute.remove(unknown.uuid), /Zun binds roles in its namespaces of projects only/);
  assert.deepEqual(await bindingsIn(unknown.namespace), []);
  await accounts.cluster.kubectl('delete', 'namespace', unknown.namespace);
  assert.equal(await look(compute, unknown.uuid), null);
});

test('of a namespace that goes nothing is known, until it is gone', async () => {
  const { cluster } = accounts;
  const { uuid, namespace } = await madeBefore();
  assert.equal(await look(compute, uuid), 'created');
  const metadata = { name: 'holds', namespace, finalizers: ['example.com/held'] };
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await cluster.kubectl('delete', 'namespace', namespace, '--wait=false');
  await until('its roles are gone', async () => ((await bindingsIn(namespace)).length === 0 ? true : null));
  const other = await madeBefore();
  await until('the right is gone', () => look(compute, uuid).then(() => null, String), 30_000);
  await assert.rejects(compute.inspect(uuid), { kind: 'unreachable', message: /because it is being terminated/ });
  await until('others are listed', async () => ((await compute.list()).some((one) => one.uuid === other.uuid) ? true : null));
  await cluster.kubectl(
    'patch',
    'configmap',
    'holds',
    `--namespace=${namespace}`,
    '--type=merge',
    '--patch={"metadata":{"finalizers":null}}',
  );
  await cluster.kubectl('wait', '--for=delete', `namespace/${namespace}`, '--timeout=60s');
  assert.equal(await look(compute, uuid), null);
});

test('what is bound says nothing while the release is uninstalled, and counts again with the next one', async () => {
  const { uuid, namespace } = await madeBefore();
  assert.equal(await look(compute, uuid), 'created');
  const secrets = ['get', 'secrets', `--namespace=${namespace}`, '--output=name'];
  const may = async () => /^secret\/zun-/.test(await accounts.as('api', ...secrets));
  assert.ok(await may());
  for (const role of bindings) await accounts.cluster.kubectl('delete', 'clusterrole', role);
  await until('nothing may be read', async () => ((await may()) ? null : true));
  assert.deepEqual(await bindingsIn(namespace), bindings);
  await accounts.applyKinds(['ClusterRole']);
  await until('it may be read again', async () => ((await may()) ? true : null));
});
