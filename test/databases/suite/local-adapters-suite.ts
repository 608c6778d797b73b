import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { EngineNetwork, EngineNetworks } from '../../../src/local/networking/engine-networks.ts';
import { LocalNetworking } from '../../../src/local/networking/local-networking.ts';
import { LocalVolumes } from '../../../src/local/volumes/local-volumes.ts';
import { MemoryEngineVolumes } from '../../../src/local/volumes/memory-engine-volumes.ts';
import { randomIds } from '../../../src/telemetry/ids.ts';
import type { DatabaseSource, TestDatabase } from '../test-database.ts';
import { numberedUuid } from './sample-container.ts';

/** What ports and volumes without Neutron and Cinder promise to several programs on one database and one engine. */
export function localAdaptersSuite(source: DatabaseSource): void {
  let database: TestDatabase;
  before(async () => {
    database = await source.open();
  });
  after(() => database.close());

  const inParallel = <T>(count: number, work: (number: number) => Promise<T>) =>
    Promise.allSettled(Array.from({ length: count }, (_, number) => work(number)));
  const programs = (engine: EngineNetworks) => Array.from({ length: 3 }, () => new LocalNetworking({ database, engine, ids: randomIds }));
  const winners = (outcomes: PromiseSettledResult<unknown>[]) => outcomes.filter(({ status }) => status === 'fulfilled').length;

  test('ports that are made at once on a small network have different addresses, until there are none left', async () => {
    const networkings = programs(engineOf([small]));
    const { id: networkId } = (await networkings[0]?.findNetwork(small.name)) ?? assert.fail();
    const outcomes = await inParallel(16, async (number) => {
      const port = await networkings[number % networkings.length]?.createPort({
        key: `port-${number}`,
        networkId,
        containerUuid: '',
        projectId: 'p',
        fixedIpv4: null,
        fixedIpv6: null,
        securityGroups: [],
      });
      return port?.fixedIps[0]?.address;
    });
    const addresses = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    // 16, without the network, the gateway and the broadcast address.
    assert.equal(addresses.length, 13);
    assert.equal(new Set(addresses).size, 13, addresses.toSorted().join(' '));
  });

  test('of containers that take one port at once, or one volume, one gets it and the others are told', async () => {
    const networkings = programs(engineOf([small]));
    const [port] = (await networkings[0]?.listPorts('')) ?? assert.fail();
    const bound = await inParallel(6, async (number) =>
      networkings[number % 3]?.bindPort(port?.id ?? '', { containerUuid: numberedUuid(number) }),
    );
    assert.equal(winners(bound), 1);
    const engine = new MemoryEngineVolumes();
    await engine.create({ name: 'shared', labels: {} });
    const volumes = new LocalVolumes({ database, engine });
    const { id } = await volumes.find('shared', 'p');
    const attached = await inParallel(6, (number) => volumes.attach(id, { containerUuid: numberedUuid(number), projectId: 'p' }));
    assert.equal(winners(attached), 1);
    for (const outcome of [...bound, ...attached])
      if (outcome.status === 'rejected') assert.match(String(outcome.reason), /still in use|in-use|in use/);
  });

  test('a network is made by one at a time', async () => {
    const engine = engineOf([]);
    const outcomes = await inParallel(6, async (number) => programs(engine)[number % 3]?.createNetwork({ neutronNetId: 'new' }));
    assert.equal(winners(outcomes), 6);
    assert.equal((await engine.list()).length, 1);
  });
}

const small: EngineNetwork = {
  id: 'small',
  name: 'small',
  labels: {},
  subnets: [{ cidr: '10.9.0.0/28', gateway: '10.9.0.1' }],
  takesAddresses: true,
};

/** An engine that makes a second network of a name when two ask at the same time, as Docker does. */
function engineOf(networks: EngineNetwork[]): EngineNetworks {
  return {
    list: async () => [...networks],
    addressesInUse: async () => [],
    async create(name, labels) {
      const existing = networks.find((network) => network.name === name);
      if (existing) return existing;
      await new Promise((resolve) => setImmediate(resolve));
      const network = { ...small, id: `${name}-${networks.length}`, name, labels };
      networks.push(network);
      return network;
    },
    remove: async () => {},
  };
}
