import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryDatabase } from '../../../test/bench/task-bench.ts';
import { countedIds } from '../../../test/contract/fixed-time.ts';
import { refused } from '../../../test/contract/refused.ts';
import { FakeApiServer } from '../../../test/kubernetes-fake/fake-api-server.ts';
import { KubeClient } from '../../runtime/kubernetes/client/kube-client.ts';
import { ClusterEngineNetworks } from './cluster-engine-networks.ts';
import { LocalNetworking } from './local-networking.ts';

const path = '/apis/k8s.cni.cncf.io/v1/namespaces/networks/network-attachment-definitions';
const definition = (name: string, config: object, annotations = {}) => ({
  metadata: { name, namespace: 'networks', annotations },
  spec: { config: JSON.stringify(config) },
});
const hostLocal = { type: 'host-local', subnet: '10.5.0.0/24', gateway: '10.5.0.1' };

/** Networking on a cluster with these definitions; `null` = which does not know the kind. */
async function clusterWith(definitions: object[] | null, settings: { networkNamespace?: string; podNetworkCidr?: string } = {}) {
  const stack = new AsyncDisposableStack();
  const fake = stack.use(await FakeApiServer.start());
  fake.answer = (asked) => {
    if (asked.path === path && definitions) asked.json(200, { metadata: { resourceVersion: '1' }, items: definitions });
    else asked.refuse(404, 'NotFound', 'the server could not find the requested resource');
  };
  const client = new KubeClient(fake.config());
  stack.defer(() => client.close());
  const database = await memoryDatabase();
  stack.defer(() => database.close());
  const engine = new ClusterEngineNetworks({ client, podNetworkCidr: null, networkNamespace: 'networks', ...settings });
  const networking = new LocalNetworking({ database, engine, ids: countedIds(), defaultNetwork: 'cluster' });
  const port = async (network: string, wish: { fixedIpv4?: string; fixedIpv6?: string } = {}) => {
    const { id: networkId } = await networking.findNetwork(network);
    const nothing = { fixedIpv4: null, fixedIpv6: null, securityGroups: [] };
    return networking.createPort({ key: `k ${network}`, networkId, containerUuid: 'c', projectId: 'p', ...nothing, ...wish });
  };
  return { fake, engine, networking, port, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('a definition is a network by its own name, with the subnet that it tells, and attached by namespace and name', async () => {
  await using cluster = await clusterWith([definition('blue', { type: 'bridge', ipam: hostLocal })]);
  const { networking } = cluster;
  const blue = await networking.findNetwork('blue');
  assert.deepEqual(
    blue.subnets.map(({ cidr, gateway, version }) => ({ cidr, gateway, version })),
    [{ cidr: '10.5.0.0/24', gateway: '10.5.0.1', version: 4 }],
  );
  assert.deepEqual(await networking.findNetwork(blue.id), blue);
  assert.equal(await networking.engineNetwork(blue.id), 'networks/blue');
  const pods = await networking.defaultNetwork();
  assert.deepEqual([pods.name, await networking.engineNetwork(pods.id)], ['cluster', 'cluster']);
});

test('where no namespace is configured nobody is asked, and where the cluster does not know the kind there are none', async () => {
  await using without = await clusterWith([], { networkNamespace: '', podNetworkCidr: '10.244.0.0/16' });
  assert.equal((await without.networking.defaultNetwork()).subnets[0]?.cidr, '10.244.0.0/16');
  assert.equal(without.fake.asked.length, 0);
  await using unknown = await clusterWith(null);
  assert.equal((await unknown.networking.defaultNetwork()).name, 'cluster');
  await refused(unknown.networking.findNetwork('blue'), 404, /^Neutron network blue could not be found\.$/);
});

test('addresses are given here where plugins have none of their own, taken where they can be asked, and refused elsewhere', async () => {
  const subnets = { 'zun.openstack.org/subnets': '10.6.0.0/24' };
  await using cluster = await clusterWith([
    definition('fixed', { type: 'macvlan', capabilities: { ips: true }, ipam: { type: 'static' } }, subnets),
    definition('asked', { type: 'bridge', capabilities: { ips: true }, ipam: hostLocal }),
    definition('given', { type: 'bridge', ipam: hostLocal }),
  ]);
  const addresses = async (...args: Parameters<typeof cluster.port>) =>
    (await cluster.port(...args)).fixedIps.map(({ address }) => address);
  assert.match((await addresses('fixed')).join(), /^10\.6\.0\.\d+$/);
  assert.deepEqual(await addresses('asked', { fixedIpv4: '10.5.0.9' }), ['10.5.0.9']);
  assert.deepEqual(await addresses('given'), []);
  await using again = await clusterWith([definition('given', { type: 'bridge', ipam: hostLocal })], { podNetworkCidr: '10.244.0.0/16' });
  await refused(
    again.port('given', { fixedIpv4: '10.5.0.9' }),
    409,
    /given chooses addresses by itself .*networks\/given lack the capability ips/,
  );
  await refused(again.port('cluster', { fixedIpv4: '10.244.0.9' }), 409, /cluster gives Pods addresses of its own choice/);
});

test("of others' definitions none can be named, however it is written", async () => {
  await using cluster = await clusterWith([definition('blue', { type: 'bridge' })]);
  for (const ident of ['kube-system/host', 'networks/blue', '../kube-system/network-attachment-definitions/host', 'host', ''])
    await refused(cluster.networking.findNetwork(ident), 404, /could not be found/);
  assert.deepEqual([...new Set(cluster.fake.asked.map((asked) => asked.path))], [path]);
});

test('a name that is there twice is refused as the original does', async () => {
  await using cluster = await clusterWith([definition('cluster', { type: 'bridge' })]);
  await refused(
    cluster.networking.findNetwork('cluster'),
    409,
    /^Multiple neutron networks exist with same name\. Please use the uuid instead\.$/,
  );
});

test('networks are neither made nor removed', async () => {
  await using cluster = await clusterWith([definition('blue', { type: 'bridge' })]);
  const { id } = await cluster.networking.findNetwork('blue');
  await refused(
    cluster.networking.createNetwork({ neutronNetId: 'new' }),
    409,
    /networks are cluster, and the NetworkAttachmentDefinitions of namespace networks; a network new cannot be made here/,
  );
  await cluster.networking.deleteNetwork(id);
  assert.equal((await cluster.networking.findNetwork('blue')).id, id);
});
