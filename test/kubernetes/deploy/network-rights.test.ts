import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { plainWorkload } from '../../../src/runtime/plain-workload.ts';
import { makeTestNetwork } from '../test-network.ts';
import { ChartAccounts } from './chart-accounts.ts';
import { renderedChart } from './rendered-chart.ts';

const networks = 'zun-networks';
const config = (networkNamespace: string) => ({ config: { kubernetes: { defaultRuntimeClass: '', networkNamespace } } });

let accounts: ChartAccounts;
before(async () => {
  accounts = await ChartAccounts.install(config(networks), [networks]);
  await makeTestNetwork(accounts.cluster, networks, 'blue');
  await makeTestNetwork(accounts.cluster, 'kube-system', 'host');
});
after(() => accounts.remove());

test('zun-api and zun-compute find the networks of the namespace that the configuration names, and read none of others', async () => {
  for (const program of ['api', 'compute'] as const) {
    const { networking } = await accounts.adapters(program);
    assert.equal(await networking.engineNetwork((await networking.findNetwork('blue', 'p')).id), `${networks}/blue`);
    for (const namespace of ['kube-system', 'default'])
      assert.match(await accounts.as(program, 'get', 'network-attachment-definitions', '--namespace', namespace), /forbidden/);
    assert.match(await accounts.as(program, 'delete', 'network-attachment-definitions', 'blue', '--namespace', networks), /forbidden/);
  }
  assert.match(await accounts.as('compute-agent', 'get', 'network-attachment-definitions', '--namespace', networks), /forbidden/);
});

test('a container on one of them is made, and one on another is refused', async () => {
  const { runtime } = await accounts.adapters('compute');
  const made = (engineNetwork: string) =>
    runtime.create(
      plainWorkload({
        uuid: randomUUID(),
        image: 'busybox',
        projectId: 'a'.repeat(32),
        networks: [{ engineNetwork, ipv4: null, ipv6: null, mac: null }],
      }),
    );
  await made(`${networks}/blue`);
  await assert.rejects(made('kube-system/host'), /lacks a right/);
});

/** What the chart's roles give on a resource, by the role's name. */
async function rightsOn(resource: string, values: object): Promise<string[]> {
  const manifests = await renderedChart(accounts.cluster, values);
  const giving = manifests.filter(
    ({ kind, rules = [] }) => kind.endsWith('Role') && rules.some(({ resources }) => resources.includes(resource)),
  );
  return giving.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

test('without such a namespace there is no such right', async () => {
  assert.deepEqual(await rightsOn('network-attachment-definitions', config('')), []);
  assert.deepEqual(await rightsOn('network-attachment-definitions', config(networks)), ['Role zun-networks']);
});

test('zun-compute looks into a container whether it sees its network, with the socket too', async () => {
  const socket = { agent: { containerdSocket: '/run/containerd/containerd.sock' } };
  const compute = 'ClusterRole zun-system-zun-compute-project';
  assert.ok((await rightsOn('pods/exec', { ...config(networks), ...socket })).includes(compute));
  assert.ok(!(await rightsOn('pods/exec', { ...config(''), ...socket })).includes(compute));
});
