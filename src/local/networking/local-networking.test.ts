import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryDatabase } from '../../../test/bench/task-bench.ts';
import { countedIds } from '../../../test/contract/fixed-time.ts';
import { networkingContract } from '../../../test/contract/networking-contract.ts';
import { refused } from '../../../test/contract/refused.ts';
import { RuntimeFault } from '../../runtime/runtime-fault.ts';
import { randomIds } from '../../telemetry/ids.ts';
import type { EngineNetwork, EngineNetworks } from './engine-networks.ts';
import { LocalNetworking } from './local-networking.ts';
import { MemoryEngineNetworks } from './memory-engine-networks.ts';

networkingContract('local (memory)', async () => {
  const database = await memoryDatabase();
  const networking = new LocalNetworking({ database, engine: new MemoryEngineNetworks(), ids: randomIds });
  return { networking, projectId: 'p', cleanup: () => database.close() };
});

/** An engine that holds these networks and nothing else. */
function engineWith(networks: Partial<EngineNetwork>[], inUse: string[] = []): EngineNetworks {
  const common = { id: 'n', name: 'n', labels: {}, subnets: [], takesAddresses: true };
  const missing = () => Promise.reject(new RuntimeFault('failed', 'not made for this'));
  return {
    list: async () => networks.map((network) => ({ ...common, ...network })),
    addressesInUse: async () => inUse,
    create: missing,
    remove: missing,
  };
}

async function portOn(network: Partial<EngineNetwork>, wish: { fixedIpv4?: string; fixedIpv6?: string } = {}, inUse: string[] = []) {
  const database = await memoryDatabase();
  const networking = new LocalNetworking({ database, engine: engineWith([network], inUse), ids: countedIds() });
  const { id } = await networking.findNetwork('n');
  const nothing = { fixedIpv4: null, fixedIpv6: null, securityGroups: [] };
  const request = { key: 'k', networkId: id, containerUuid: 'c', projectId: 'p', ...nothing, ...wish };
  return networking.createPort(request).finally(() => database.close());
}

test('gateway, engine endpoints, network and broadcast addresses are not given out', async () => {
  const subnets = [{ cidr: '10.1.2.0/29', gateway: '10.1.2.1' }];
  const port = await portOn({ subnets }, {}, ['10.1.2.2', '10.1.2.4']);
  assert.equal(port.fixedIps[0]?.address, '10.1.2.3');
  const full = ['10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6'];
  await refused(portOn({ subnets }, {}, full), 409, /No more IP addresses available/);
  for (const fixedIpv4 of ['10.1.2.0', '10.1.2.7', '10.1.2.8', 'x'])
    await refused(portOn({ subnets }, { fixedIpv4 }), 400, /not a valid IP/);
  await refused(portOn({ subnets }, { fixedIpv4: '10.1.2.1' }), 409, /already allocated/);
});

test('where only the subnet is configured, the first address is the gateway', async () => {
  const port = await portOn({ subnets: [{ cidr: '10.1.2.0/24', gateway: null }] });
  assert.equal(port.fixedIps[0]?.address, '10.1.2.2');
});

test('a network with two subnets gives an address of each version', async () => {
  const subnets = [
    { cidr: '10.1.2.0/24', gateway: '10.1.2.1' },
    { cidr: 'fd00:1::/64', gateway: 'fd00:1::1' },
  ];
  assert.deepEqual(
    (await portOn({ subnets })).fixedIps.map((ip) => ip.address),
    ['10.1.2.2', 'fd00:1::2'],
  );
  const asked = await portOn({ subnets }, { fixedIpv6: 'FD00:1:0::00aa' });
  assert.deepEqual(
    asked.fixedIps.map((ip) => [ip.address, ip.version]),
    [
      ['fd00:1::aa', 6],
      ['10.1.2.2', 4],
    ],
  );
});

test('where the engine takes no addresses it gives them itself, unless one is asked for', async () => {
  const network = { subnets: [{ cidr: '10.1.2.0/24', gateway: '10.1.2.1' }], takesAddresses: false };
  assert.deepEqual((await portOn(network)).fixedIps, []);
  assert.equal((await portOn(network, { fixedIpv4: '10.1.2.9' })).fixedIps[0]?.address, '10.1.2.9');
});

test('a name that two networks have is a conflict; networks that Zun did not make are left in the engine', async () => {
  const database = await memoryDatabase();
  const networking = new LocalNetworking({ database, engine: engineWith([{ id: 'a' }, { id: 'b' }]), ids: countedIds() });
  await refused(networking.findNetwork('n'), 409, /^Multiple neutron networks exist with same name\. Please use the uuid instead\.$/);
  const single = new LocalNetworking({ database, engine: engineWith([{ id: 'a' }]), ids: countedIds() });
  const { id } = await single.findNetwork('n');
  await single.deleteNetwork(id);
  await database.close();
});

test('an engine that does not answer is 503, which tasks try again', async () => {
  const database = await memoryDatabase();
  const engine = { ...engineWith([]), list: () => Promise.reject(new RuntimeFault('unreachable', 'no engine')) };
  const networking = new LocalNetworking({ database, engine, ids: countedIds() });
  await refused(networking.findNetwork('n'), 503, /no engine/);
  await database.close();
});
