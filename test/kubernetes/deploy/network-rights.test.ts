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

test('without such a namespace there is no such right', async () => {
  const roles = (await renderedChart(accounts.cluster, config(''))).filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole');
  assert.ok(roles.length > 0);
  assert.doesNotMatch(JSON.stringify(roles), /network-attachment-definitions/);
});
