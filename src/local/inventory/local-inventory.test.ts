import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryDatabase } from '../../../test/bench/task-bench.ts';
import { inventoryContract } from '../../../test/contract/inventory-contract.ts';
import { LocalInventory } from './local-inventory.ts';

inventoryContract('local', async () => {
  const database = await memoryDatabase();
  return { inventory: new LocalInventory(database), cleanup: () => database.close() };
});

test('claims of consumers that do not exist are swept, but not those that are just being made', async () => {
  const database = await memoryDatabase();
  const inventory = new LocalInventory(database);
  const ratios = { cpuAllocationRatio: 1, memoryAllocationRatio: 1, diskAllocationRatio: 1 };
  await inventory.report({ uuid: 'p', hostname: 'h', inventory: { vcpu: 9, memoryMb: 9, diskGb: 9, ...ratios } });
  for (const consumer of ['kept', 'new', 'lost']) {
    await inventory.claim(consumer, { resourceProviderUuid: 'p', resources: { vcpu: 1, memoryMb: 1, diskGb: 0, host: null } });
  }
  assert.deepEqual(await inventory.releaseOrphans(new Set(['kept'])), []);
  assert.deepEqual(await inventory.releaseOrphans(new Set(['kept', 'new'])), ['lost']);
  assert.deepEqual(await inventory.releaseOrphans(new Set(['kept']), true), ['new']);
  await database.close();
});
