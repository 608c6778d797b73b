import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryDatabase } from '../../../test/bench/task-bench.ts';
import { volumesContract } from '../../../test/contract/volumes-contract.ts';
import { LocalVolumes } from './local-volumes.ts';
import { MemoryEngineVolumes } from './memory-engine-volumes.ts';

volumesContract('local (memory)', async () => {
  const database = await memoryDatabase();
  return { volumes: new LocalVolumes({ database, engine: new MemoryEngineVolumes() }), projectId: 'p', cleanup: () => database.close() };
});

test("a volume made with the engine's own tools can be used by every project, under the same id", async () => {
  const database = await memoryDatabase();
  const engine = new MemoryEngineVolumes();
  const volumes = new LocalVolumes({ database, engine });
  await engine.create({ name: 'mydata', labels: {} });
  const volume = await volumes.find('mydata', 'p1');
  assert.deepEqual(await volumes.find(volume.id, 'p2'), volume);
  assert.deepEqual(volume, { id: volume.id, name: 'mydata', sizeGiB: 0, status: 'available' });
  assert.deepEqual(await volumes.attach(volume.id, { containerUuid: 'c', projectId: 'p1' }), { engineVolume: 'mydata' });
  await database.close();
});
