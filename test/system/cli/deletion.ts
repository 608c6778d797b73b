import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { leftovers } from './leftovers.ts';
import { refused, type ZunSession } from './zun-session.ts';

/** The ways a container goes, and that nothing of it stays. */
export function deletion(open: () => ZunSession): void {
  describe('delete', () => {
    test('a running container is deleted with --stop, and refused without', async () => {
      const zun = open();
      const { uuid, name } = await zun.run();
      const refusal = await zun.openstack('appcontainer', 'delete', name);
      assert.match(refusal, /Cannot delete container .* in Running state/);
      assert.equal((await zun.show(uuid)).status, 'Running');
      await zun.openstack('appcontainer', 'delete', '--stop', '--wait', name);
      await zun.untilGone(uuid);
    });

    test("--force is the administrator's, who needs no stop", async () => {
      const zun = open();
      const { uuid, name } = await zun.run();
      assert.match(
        await zun.openstack('appcontainer', 'delete', '--force', name),
        /Policy doesn't allow container:delete_force to be performed/,
      );
      const accepted = await zun.openstackAs('zun-admin', 'appcontainer', 'delete', '--force', '--all-projects', uuid);
      assert.match(accepted, /has been accepted/);
      await zun.untilGone(uuid);
    });

    test('several are deleted with one command; one that is not there is named', async () => {
      const zun = open();
      const made = [await zun.create(), await zun.create()];
      const said = await zun.openstack('appcontainer', 'delete', made[0]?.name ?? '', 'nosuch', made[1]?.name ?? '');
      assert.match(said, /Delete for container nosuch failed: .*nosuch/s);
      for (const { uuid } of made) await zun.untilGone(uuid);
    });

    test('a deleted container leaves no engine container, volume, endpoint, port, claim or row behind', async () => {
      const zun = open();
      const { uuid } = await zun.run({
        mounts: [
          { size: '1', destination: '/data' },
          { type: 'bind', source: { $bytes: Buffer.from('note').toString('base64') }, destination: '/etc/note' },
        ],
        exposed_ports: { '80/tcp': {} },
        cpu: 0.1,
        memory: '32',
      });
      assert.notDeepEqual(await leftovers(zun, uuid), []);
      await zun.call('containers.delete', [uuid], { stop: true });
      await zun.untilGone(uuid);
      assert.deepEqual(await leftovers(zun, uuid), []);
    });

    test('a create that fails leaves nothing behind but the row that says why, and that can be deleted', async () => {
      const zun = open();
      const { uuid, status_reason } = await zun.create(
        { image: `${zun.registry.host}/nosuch:1.0`, mounts: [{ size: '1', destination: '/data' }] },
        'Error',
      );
      assert.match(String(status_reason), /nosuch/);
      assert.match(String(status_reason), /manifest unknown|not found/i);
      const left = await leftovers(zun, uuid);
      assert.deepEqual(
        left.filter((what) => !what.startsWith('rows of container')),
        [],
      );
      await zun.call('containers.delete', [uuid]);
      await zun.untilGone(uuid);
      assert.deepEqual(await leftovers(zun, uuid), []);
    });

    test('auto_remove removes the container once it has ended, with everything it had', async () => {
      const zun = open();
      const { uuid } = await zun.call<{ uuid: string }>('containers.run', [], {
        name: `gone-${randomUUID()}`,
        image: zun.image,
        command: ['sh', '-c', 'sleep 1; exit 4'],
        auto_remove: true,
        mounts: [{ size: '1', destination: '/data' }],
      });
      await zun.untilGone(uuid);
      assert.deepEqual(await leftovers(zun, uuid), []);
    });

    test('what is not there is 404 for each command', async () => {
      const zun = open();
      await refused(zun.call('containers.get', ['nosuch']), 404, /nosuch/);
      await refused(zun.call('containers.delete', ['nosuch']), 404, /nosuch/);
      await refused(zun.call('containers.start', [randomUUID()]), 404, /could not be found/);
      const { exitCode, stderr } = await zun.try('zun', ['appcontainer', 'show', 'nosuch']);
      assert.equal(exitCode, 1);
      assert.match(stderr, /nosuch/);
    });
  });
}
