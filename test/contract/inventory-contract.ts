import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Candidate, Inventory, ResourceRequest } from '../../src/scheduling/inventory.ts';

export interface InventoryFixture {
  inventory: Inventory;
  /** An operator disables or enables the host's service, and the inventory has heard of it. */
  disable(host: string, disabled: boolean): Promise<void>;
  cleanup(): Promise<void>;
}

const owner = { projectId: 'p', userId: 'u' };
const ask = (vcpu: number, memoryMb: number, diskGb = 0, host: string | null = null): ResourceRequest => ({ vcpu, memoryMb, diskGb, host });

/** Registers the tests that every `Inventory` passes. */
export function inventoryContract(name: string, makeFixture: () => Promise<InventoryFixture>): void {
  describe(`${name} inventory`, () => {
    let fixture: InventoryFixture;
    before(async () => {
      fixture = await makeFixture();
    });
    after(() => fixture.cleanup());

    /** A node with 2 CPUs (4 promised), 1000 MiB (1500), 10 GiB; tests have one each. */
    async function node(hostname = `node-${randomUUID()}`): Promise<{ uuid: string; hostname: string }> {
      const ratios = { cpuAllocationRatio: 2, memoryAllocationRatio: 1.5, diskAllocationRatio: 1 };
      const inventory = { vcpu: 2, memoryMb: 1000, diskGb: 10, ...ratios };
      const provider = { uuid: randomUUID(), hostname, inventory, disabled: false };
      await fixture.inventory.report(provider);
      return provider;
    }
    async function candidate(request: ResourceRequest, provider: { uuid: string; hostname: string }): Promise<Candidate | undefined> {
      const found = await fixture.inventory.candidates({ ...request, host: provider.hostname });
      return found.find(({ resourceProviderUuid }) => resourceProviderUuid === provider.uuid);
    }
    async function claim(consumer: string, request: ResourceRequest, provider: { uuid: string; hostname: string }): Promise<boolean> {
      return fixture.inventory.claim(consumer, { resourceProviderUuid: provider.uuid, resources: request }, owner);
    }

    test('a node with room is a candidate, one host when it is named', async () => {
      const [one, other] = [await node(), await node()];
      assert.ok(await candidate(ask(1, 100, 5), one));
      const named = await fixture.inventory.candidates(ask(1, 100, 5, one.hostname));
      assert.deepEqual(
        named.map((found) => found.resourceProviderUuid),
        [one.uuid],
      );
      const all = (await fixture.inventory.candidates(ask(1, 100))).map((found) => found.resourceProviderUuid);
      assert.ok(all.includes(one.uuid) && all.includes(other.uuid));
    });

    test('no request can be larger than the node, whatever the ratio', async () => {
      const provider = await node();
      for (const request of [ask(3, 100), ask(1, 1001), ask(1, 100, 11)]) assert.equal(await candidate(request, provider), undefined);
    });

    test('claims add up to the node times its ratio, and no more', async () => {
      const provider = await node();
      assert.equal(await claim(randomUUID(), ask(2, 700), provider), true);
      assert.equal(await claim(randomUUID(), ask(1, 900), provider), false);
      assert.equal(await claim(randomUUID(), ask(2, 800), provider), true);
      assert.equal(await claim(randomUUID(), ask(1, 0), provider), false);
      assert.equal(await candidate(ask(1, 1), provider), undefined);
    });

    test('a repeated claim holds once', async () => {
      const provider = await node();
      const consumer = randomUUID();
      for (let times = 0; times < 3; times += 1) assert.equal(await claim(consumer, ask(2, 500), provider), true);
      assert.equal(await claim(randomUUID(), ask(2, 500), provider), true);
    });

    test('parallel claims do not overshoot', async () => {
      const provider = await node();
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => claim(randomUUID(), ask(1, 10), provider)));
      assert.equal(outcomes.filter(Boolean).length, 4);
    });

    test('a released claim makes room, as often as it is released', async () => {
      const provider = await node();
      const consumer = randomUUID();
      await claim(consumer, ask(2, 1000), provider);
      await fixture.inventory.release(consumer);
      await fixture.inventory.release(consumer);
      await fixture.inventory.release(randomUUID());
      assert.equal(await claim(randomUUID(), ask(2, 1000), provider), true);
      assert.equal(await claim(randomUUID(), ask(2, 500), provider), true);
    });

    test('a disabled node is no candidate until it is enabled, and keeps its claims', async () => {
      const provider = await node();
      const consumer = randomUUID();
      await claim(consumer, ask(1, 100), provider);
      await fixture.disable(provider.hostname, true);
      assert.equal(await candidate(ask(1, 100), provider), undefined);
      const [held] = await fixture.inventory.claimsOn(provider.hostname);
      assert.equal(held?.consumer, consumer);
      assert.equal(await fixture.inventory.resize(consumer, ask(2, 200)), true);
      await fixture.disable(provider.hostname, false);
      assert.ok(await candidate(ask(1, 100), provider));
    });

    test('a claim is resized within the room; without room the old one stands', async () => {
      const provider = await node();
      const [consumer, other] = [randomUUID(), randomUUID()];
      await claim(consumer, ask(1, 500), provider);
      await claim(other, ask(2, 800), provider);
      assert.equal(await fixture.inventory.resize(consumer, ask(2, 600)), true);
      assert.equal(await fixture.inventory.resize(consumer, ask(2, 701)), false);
      assert.equal(await claim(randomUUID(), ask(0, 100), provider), true);
      assert.equal(await claim(randomUUID(), ask(0, 1), provider), false);
      assert.equal(await fixture.inventory.resize(consumer, ask(1, 100)), true);
      assert.equal(await claim(randomUUID(), ask(1, 500), provider), true);
    });
  });
}
