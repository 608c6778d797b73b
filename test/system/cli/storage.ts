import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type ContainerView, refused, type ZunSession } from './zun-session.ts';

/** Mounts: new volumes, volumes that exist, and files that come with the request. */
export function storage(open: () => ZunSession): void {
  const read = async (uuid: string, path: string) =>
    (await open().call<{ output: string }>('containers.execute', [uuid], { command: `cat ${path}` })).output;
  const volumesOf = async (uuid: string) => (await open().inspect(uuid)).Mounts.filter(({ Type }) => Type === 'volume');

  describe('mounts', () => {
    test('the command mounts a new volume and a file', async () => {
      const zun = open();
      const file = join(zun.standalone.dataFolder, 'note.txt');
      await writeFile(file, 'a note\n');
      const mounts = ['--mount', 'size=1,destination=/data', '--mount', `type=bind,source=${file},destination=/etc/note`];
      const { uuid } = await zun.json<ContainerView>('appcontainer run', '--name', 'mounted', ...mounts, zun.image, 'sleep', '100');
      await zun.until(uuid, 'Running');
      assert.equal(await read(uuid, '/etc/note'), 'a note\n');
      const [volume] = await volumesOf(uuid);
      assert.equal(volume?.Destination, '/data');
      const { exit_code } = await zun.call<{ exit_code: number }>('containers.execute', [uuid], {
        command: 'sh -c "echo kept > /data/mark"',
      });
      assert.equal(exit_code, 0);
      await zun.remove(uuid);
      const left = await zun.engine.json<{ Volumes: { Name: string }[] | null }>({ method: 'GET', path: '/volumes' });
      assert.equal(
        (left.Volumes ?? []).some(({ Name }) => Name === volume?.Name),
        false,
      );
    });

    test('a volume that exists is mounted by one container at a time, and outlives them', async () => {
      const zun = open();
      await zun.engine.request({ method: 'POST', path: '/volumes/create', json: { Name: 'shared-data' } });
      const mounts = [{ source: 'shared-data', destination: '/data' }];
      const first = await zun.run({ mounts });
      await zun.call('containers.execute', [first.uuid], { command: 'sh -c "echo kept > /data/mark"' });
      await refused(zun.create({ mounts }), 400, /is still in use/);
      await zun.remove(first.uuid);
      const second = await zun.run({ mounts });
      assert.equal(await read(second.uuid, '/data/mark'), 'kept\n');
      await zun.remove(second.uuid);
      await zun.engine.request({ method: 'DELETE', path: '/volumes/shared-data' });
    });

    test('mounts that cannot be are refused, and nothing is made', async () => {
      const zun = open();
      const made = await zun.call<unknown[]>('containers.list');
      await refused(zun.create({ mounts: [{ source: 'nosuch', destination: '/data' }] }), 404, /nosuch/);
      await refused(zun.create({ mounts: [{ size: '1', destination: 'data' }] }), 400, /absolute path/);
      await refused(zun.create({ mounts: [{ size: '0', destination: '/data' }] }), 400, /size/);
      assert.equal((await zun.call<unknown[]>('containers.list')).length, made.length);
    });
  });
}
