import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import type { FixtureSource } from './runtime-fixture.ts';
import { refused, specOf, withStarted } from './workload.ts';

/** Tests may run at the same time: each has an address of its own. */
const addressAfter = (ipv4: string, index: number): string => ipv4.replace(/\d+$/, (last) => String(Number(last) + index));

/** Interfaces on engine networks. */
export function networkTests(fixture: FixtureSource): void {
  test('a network is connected to and disconnected from a running workload, each as often as asked', async (t) => {
    const { runtime, network } = fixture();
    if (!network) return t.skip('the fixture has no engine network');
    const interface_ = { engineNetwork: network.name, ipv4: network.ipv4, ipv6: null, mac: null };
    await withStarted(fixture(), {}, async (workload) => {
      await runtime.connectNetwork(workload.uuid, interface_);
      await runtime.connectNetwork(workload.uuid, interface_);
      const seen = await eventually('an address', workload.inspect, (now) => now.addresses[network.name] !== undefined);
      assert.equal(seen.addresses[network.name]?.ipv4, network.ipv4);
      await runtime.disconnectNetwork(workload.uuid, network.name);
      await runtime.disconnectNetwork(workload.uuid, network.name);
      assert.equal((await workload.inspect()).addresses[network.name], undefined);
    });
  });

  test('a workload that has ended is on a network from its next start on, and off it from the one after', async (t) => {
    const { runtime, network } = fixture();
    if (!network) return t.skip('the fixture has no engine network');
    const ipv4 = addressAfter(network.ipv4, 1);
    const interface_ = { engineNetwork: network.name, ipv4, ipv6: null, mac: null };
    await withStarted(fixture(), {}, async ({ uuid, inspect }) => {
      await runtime.stop(uuid, 0);
      await runtime.connectNetwork(uuid, interface_);
      await runtime.start(uuid);
      const seen = await eventually('an address', inspect, (now) => now.addresses[network.name] !== undefined);
      assert.equal(seen.addresses[network.name]?.ipv4, ipv4);
      await runtime.stop(uuid, 0);
      await runtime.disconnectNetwork(uuid, network.name);
      await runtime.start(uuid);
      assert.equal((await inspect()).addresses[network.name], undefined);
    });
  });

  test('a workload starts on the network it asks for, with its fixed addresses', async (t) => {
    const { runtime, network } = fixture();
    if (!network) return t.skip('the fixture has no engine network');
    const mac = '02:42:ac:12:34:56';
    const ipv4 = addressAfter(network.ipv4, 2);
    await withStarted(fixture(), { networks: [{ engineNetwork: network.name, ipv4, ipv6: null, mac }] }, async (workload) => {
      await workload.until('running');
      const { addresses } = await workload.inspect();
      assert.deepEqual(Object.keys(addresses), [network.name]);
      assert.deepEqual([addresses[network.name]?.ipv4, addresses[network.name]?.mac], [ipv4, mac]);
      await runtime.stop(workload.uuid, 0);
      await runtime.start(workload.uuid);
      assert.equal((await workload.inspect()).addresses[network.name]?.ipv4, ipv4);
    });
  });

  test('a network that does not exist is not-found', async (t) => {
    const { runtime, network } = fixture();
    if (!network) return t.skip('the fixture has no engine network');
    const interface_ = { engineNetwork: `no-${randomUUID()}`, ipv4: null, ipv6: null, mac: null };
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await refused(runtime.connectNetwork(uuid, interface_), 'not-found');
    });
    const spec = specOf(fixture(), { networks: [interface_] });
    const run = async () => {
      await runtime.create(spec);
      await runtime.start(spec.uuid);
    };
    try {
      await refused(run(), 'not-found');
    } finally {
      await runtime.remove(spec.uuid);
    }
  });
}
