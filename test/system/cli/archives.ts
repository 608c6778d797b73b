import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ContainerView, refused, type ZunSession } from './zun-session.ts';

/** `cp` both ways. */
export function archives(open: () => ZunSession): void {
  describe('cp', () => {
    let container: ContainerView;
    let folder: string;
    before(async () => {
      container = await open().run({ name: 'shelf' });
      folder = await mkdtemp(join(tmpdir(), 'zun-cp-'));
    });
    after(async () => {
      await open().remove(container.uuid);
      await rm(folder, { recursive: true, force: true });
    });

    test('random bytes come back as they went, through the container', async () => {
      const zun = open();
      const bytes = randomBytes(1_500_000);
      await writeFile(join(folder, 'random.bin'), bytes);
      await zun.openstack('appcontainer', 'cp', join(folder, 'random.bin'), 'shelf:/tmp');
      const { output } = await zun.call<{ output: string }>('containers.execute', [container.uuid], {
        command: 'stat -c %s /tmp/random.bin',
      });
      assert.equal(output.trim(), '1500000');
      await mkdir(join(folder, 'back'));
      await zun.openstack('appcontainer', 'cp', 'shelf:/tmp/random.bin', join(folder, 'back'));
      assert.ok(bytes.equals(await readFile(join(folder, 'back', 'random.bin'))));
    });

    test('a folder goes as a whole, also into and out of a stopped container', async () => {
      const zun = open();
      const { uuid } = await zun.run({ command: ['true'] }, 'Stopped');
      await mkdir(join(folder, 'tree', 'deep'), { recursive: true });
      await writeFile(join(folder, 'tree', 'deep', 'leaf'), 'green');
      await zun.openstack('appcontainer', 'cp', join(folder, 'tree'), `${uuid}:/root`);
      await zun.openstack('appcontainer', 'cp', `${uuid}:/root/tree`, join(folder, 'copied'));
      assert.equal(await readFile(join(folder, 'copied', 'tree', 'deep', 'leaf'), 'utf8'), 'green');
      await zun.remove(uuid);
    });

    test('the answer says what is there; wrong paths and what is no archive are refused', async () => {
      const zun = open();
      const { stat } = await zun.call<{ stat: Record<string, unknown> }>('containers.get_archive', [container.uuid, '/etc/passwd']);
      assert.deepEqual(
        [stat.name, typeof stat.size, 'mode' in stat, 'mtime' in stat, 'linkTarget' in stat],
        ['passwd', 'number', true, true, true],
      );
      await refused(zun.call('containers.get_archive', [container.uuid, '/nosuch']), 404, /nosuch/);
      const data = { $bytes: Buffer.from('this is no tar').toString('base64') };
      await refused(zun.call('containers.put_archive', [container.uuid, '/tmp', data]), 400, /./);
    });
  });
}
