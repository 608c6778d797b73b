import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Volumes } from '../../src/volumes/volumes.ts';
import { refused } from './refused.ts';

export interface VolumesFixture {
  volumes: Volumes;
  projectId: string;
  cleanup(): Promise<void>;
}

/** Registers the tests that every `Volumes` passes. */
export function volumesContract(name: string, makeFixture: () => Promise<VolumesFixture>): void {
  describe(`${name} volumes`, () => {
    let fixture: VolumesFixture;
    before(async () => {
      fixture = await makeFixture();
    });
    after(() => fixture?.cleanup());

    const create = (key = `${randomUUID()}/0`) => fixture.volumes.create({ key, sizeGiB: 2, projectId: fixture.projectId, userId: 'u' });
    const container = () => ({ containerUuid: randomUUID(), host: 'h', projectId: fixture.projectId });
    const remove = (id: string) => fixture.volumes.delete(id, fixture.projectId);

    test('a volume is made once for its key, and found by id and name in its project only', async () => {
      const { volumes, projectId } = fixture;
      const key = `${randomUUID()}/0`;
      assert.equal(await volumes.findMade(key, projectId), null);
      const volume = await create(key);
      assert.deepEqual([volume.sizeGiB, volume.status], [2, 'available']);
      assert.deepEqual(await create(key), volume);
      assert.deepEqual(await volumes.findMade(key, projectId), volume);
      assert.deepEqual(await volumes.find(volume.id, projectId), volume);
      assert.deepEqual(await volumes.find(volume.name, projectId), volume);
      await refused(volumes.find(volume.id, randomUUID()), 404, /^Volume .* could not be found\.$/);
      await remove(volume.id);
    });

    test('what is missing is not found, and counts as detached and deleted', async () => {
      const { volumes, projectId } = fixture;
      const id = randomUUID();
      await refused(volumes.find('nosuchvolume', projectId), 404, /^Volume nosuchvolume could not be found\.$/);
      await refused(volumes.find(id, projectId), 404, /could not be found/);
      await refused(volumes.attach(id, container()), 404, /could not be found/);
      await volumes.detach(id, randomUUID());
      await remove(id);
    });

    test('one container holds a volume at a time, as often as it says so', async () => {
      const { volumes, projectId } = fixture;
      const volume = await create();
      const [first, second] = [container(), container()];
      const attached = await volumes.attach(volume.id, first);
      assert.ok(attached.engineVolume.length > 0);
      assert.deepEqual(await volumes.attach(volume.id, first), attached);
      assert.equal((await volumes.find(volume.id, projectId)).status, 'in-use');
      await refused(volumes.attach(volume.id, second), 400, /^Volume .* is still in use\.$/);
      await refused(remove(volume.id), 400, /^Volume .* is still in use\.$/);
      await volumes.detach(volume.id, second.containerUuid);
      assert.equal((await volumes.find(volume.id, projectId)).status, 'in-use');
      await volumes.detach(volume.id, first.containerUuid);
      await volumes.detach(volume.id, first.containerUuid);
      assert.deepEqual(await volumes.attach(volume.id, second), attached);
      await volumes.detach(volume.id, second.containerUuid);
      await remove(volume.id);
    });

    test('of containers that want a volume at the same time one gets it', async () => {
      const { volumes } = fixture;
      const volume = await create();
      const wanting = Array.from({ length: 6 }, container);
      const outcomes = await Promise.allSettled(wanting.map((one) => volumes.attach(volume.id, one)));
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const one of wanting) await volumes.detach(volume.id, one.containerUuid);
      await remove(volume.id);
    });

    test('a deleted volume is gone, as often as it is deleted', async () => {
      const { volumes, projectId } = fixture;
      const volume = await create();
      await remove(volume.id);
      await remove(volume.id);
      await refused(volumes.find(volume.id, projectId), 404, /could not be found/);
    });
  });
}
