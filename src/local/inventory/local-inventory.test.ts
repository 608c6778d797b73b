import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryDatabase } from '../../../test/bench/task-bench.ts';
import { inventoryContract } from '../../../test/contract/inventory-contract.ts';
import { reportService, updateService } from '../../features/services/service-store.ts';
import { LocalInventory } from './local-inventory.ts';

inventoryContract('local', async () => {
  const database = await memoryDatabase();
  return {
    inventory: new LocalInventory(database),
    async disable(host, disabled) {
      const service = { host, binary: 'zun-compute' };
      await database.transaction((queries) => reportService(queries, { ...service, availabilityZone: 'nova' }, Date.UTC(2026, 2, 1)));
      await updateService(database.queries, host, service.binary, { disabled }, Date.UTC(2026, 2, 1));
    },
    cleanup: () => database.close(),
  };
});

test('what one process reports another claims: nodes are in the database', async () => {
  const database = await memoryDatabase();
  const ratios = { cpuAllocationRatio: 0.7, memoryAllocationRatio: 1, diskAllocationRatio: 1 };
  const inventory = { vcpu: 10, memoryMb: 9, diskGb: 9, ...ratios };
  await new LocalInventory(database).report({ uuid: 'p', hostname: 'h', inventory: { ...inventory, vcpu: 1 } });
  await new LocalInventory(database).report({ uuid: 'p', hostname: 'h', inventory });
  const other = new LocalInventory(database);
  const resources = { vcpu: 7, memoryMb: 1, diskGb: 0, host: null };
  assert.deepEqual(await other.candidates(resources), [{ resourceProviderUuid: 'p', resources }]);
  assert.deepEqual(await other.candidates({ ...resources, vcpu: 8 }), []);
  assert.equal(await other.claim('c', { resourceProviderUuid: 'p', resources }), true);
  assert.deepEqual(await new LocalInventory(database).claimsOn('h'), [{ consumer: 'c', vcpu: 7, memoryMb: 1, diskGb: 0 }]);
  await database.close();
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
