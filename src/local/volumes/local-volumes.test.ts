import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { memoryDatabase } from '../../../test/bench/task-bench.ts';
import { volumesContract } from '../../../test/contract/volumes-contract.ts';
import { LocalVolumes } from './local-volumes.ts';
import { MemoryEngineVolumes } from './memory-engine-volumes.ts';

volumesContract('local (memory)', async () => {
  const database = await memoryDatabase();
  return { volumes: new LocalVolumes({ database, engine: new MemoryEngineVolumes() }), projectId: 'p', cleanup: () => database.close() };
});

test('a volume that a container had made is removed, though a list does not show it', async () => {
  const database = await memoryDatabase();
  const engine = new MemoryEngineVolumes();
  const volumes = new LocalVolumes({ database, engine });
  const uuid = randomUUID();
  const { id } = await volumes.create({ key: uuid, sizeGiB: 1, projectId: 'p', userId: 'u' });
  await database.queries.insertInto('volume').values({ uuid, cinder_volume_id: id, volume_provider: 'cinder' }).execute();
  const list = engine.list.bind(engine);
  engine.list = async () => [];
  await volumes.delete(id, 'p');
  assert.deepEqual(await list(), []);
  await database.close();
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
