import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ContainerView, refused, type ZunSession } from './zun-session.ts';

interface Action {
  action: string;
  request_id: string;
  message: string | null;
  start_time: string;
  finish_time: string | null;
  events?: { event: string; result: string; traceback: string | null }[];
}

/** What the kernel holds a running container to, asked in the container: CPU shares (1024 a core) and bytes. */
async function limitsInForce(zun: ZunSession, uuid: string): Promise<string[]> {
  const command = 'sh -c "cat /sys/fs/cgroup/cpu/cpu.shares /sys/fs/cgroup/memory/memory.limit_in_bytes"';
  const { output } = await zun.call<{ output: string }>('containers.execute', [uuid], { command });
  return output.trim().split('\n');
}

/** What changes a container that is there: set, rebuild, commit; and the history that tells of it. */
export function changes(open: () => ZunSession): void {
  describe('set, rebuild, commit and actions', () => {
    test('set changes name, cpu and memory, of a running container too, and the engine holds it to them', async () => {
      const zun = open();
      const { uuid, name } = await zun.run({ cpu: 0.5, memory: '64' });
      const mebibyte = 1024 * 1024;
      assert.deepEqual(await limitsInForce(zun, uuid), ['512', String(64 * mebibyte)]);
      const { HostConfig } = await zun.inspect(uuid);
      assert.deepEqual([HostConfig.CpuShares, HostConfig.Memory], [512, 64 * mebibyte]);
      const answered = await zun.json<ContainerView>('appcontainer set', '--name', 'renamed', '--cpu', '0.25', '--memory', '96', name);
      assert.deepEqual([answered.name, answered.cpu, answered.memory], ['renamed', 0.25, '96']);
      assert.deepEqual(await limitsInForce(zun, uuid), ['256', String(96 * mebibyte)]);
      const shown = await zun.show('renamed');
      assert.deepEqual([shown.uuid, shown.cpu, shown.memory, shown.status], [uuid, 0.25, '96', 'Running']);
      await zun.call('containers.restart', [uuid, 5]);
      await zun.until(uuid, 'Running');
      assert.deepEqual(await limitsInForce(zun, uuid), ['256', String(96 * mebibyte)]);
      await zun.json('appcontainer set', '--auto-heal', 'renamed');
      assert.equal((await zun.show(uuid)).auto_heal, true);
      await zun.json('appcontainer set', '--no-auto-heal', 'renamed');
      assert.equal((await zun.show(uuid)).auto_heal, false);
      await zun.remove(uuid);
    });

    test('limits that no node has room for are refused, and what was in force stays', async () => {
      const zun = open();
      const { uuid } = await zun.create({ cpu: 0.1, memory: '64' });
      await refused(zun.call('containers.update', [uuid], { memory: '99999999999' }), 400, /memory/);
      await refused(zun.call('containers.update', [uuid], { cpu: 1000 }), 400, /cpu/);
      const { HostConfig } = await zun.inspect(uuid);
      assert.equal(HostConfig.Memory, 64 * 1024 * 1024);
      await zun.remove(uuid);
    });

    test('rebuild makes the container anew from its image, with its address and volume', async () => {
      const zun = open();
      const { uuid, name, addresses } = await zun.run({ mounts: [{ size: '1', destination: '/data' }] });
      const first = await zun.inspect(uuid);
      await zun.call('containers.execute', [uuid], { command: 'sh -c "echo kept > /data/mark; echo lost > /root/mark"' });
      assert.match(await zun.openstack('appcontainer', 'rebuild', name), /has been accepted/);
      const rebuilt = await zun.until(uuid, 'Running');
      const second = await zun.inspect(uuid);
      assert.notEqual(second.Id, first.Id);
      assert.deepEqual(rebuilt.addresses, addresses);
      const { output } = await zun.call<{ output: string }>('containers.execute', [uuid], { command: 'sh -c "cat /data/mark; ls /root"' });
      assert.equal(output, 'kept\n');
      await zun.remove(uuid);
    });

    test('rebuild with another image runs that; one that is not there leaves the old container', async () => {
      const zun = open();
      const { uuid, name } = await zun.run();
      const two = `${zun.registry.host}/busybox:2.0`;
      await zun.openstack('appcontainer', 'rebuild', '--image', two, name);
      assert.equal((await zun.until(uuid, 'Running')).image, two);
      const version = await zun.call<{ output: string }>('containers.execute', [uuid], { command: 'cat /etc/version' });
      assert.equal(version.output, 'two\n');
      await zun.call('containers.rebuild', [uuid], { image: `${zun.registry.host}/busybox:nosuch` });
      const kept = await zun.until(uuid, 'Running', 'Error');
      assert.match(String(kept.status_reason), /nosuch/);
      assert.equal(kept.image, two);
      assert.equal((await zun.inspect(uuid)).State.Running, true);
      await zun.remove(uuid);
    });

    test('a stopped container is rebuilt and not started', async () => {
      const zun = open();
      const { uuid } = await zun.run({ command: ['true'] }, 'Stopped');
      await zun.call('containers.rebuild', [uuid]);
      await zun.until(uuid, 'Created');
      await zun.remove(uuid);
    });

    test('commit makes an image of the filesystem that another container can be made of', async () => {
      const zun = open();
      const { uuid, name } = await zun.run();
      await zun.call('containers.execute', [uuid], { command: 'sh -c "echo committed > /etc/mark"' });
      const said = await zun.openstack('appcontainer', 'commit', name, 'kept/image:v1');
      const [, imageUuid = ''] = /The image is (\S+)\.$/m.exec(said) ?? [];
      await zun.until(uuid, 'Running');
      const child = await zun.run({ image: 'kept/image:v1', command: ['cat', '/etc/mark'] }, 'Stopped');
      assert.equal(await zun.call('containers.logs', [child.uuid], { stdout: true, stderr: true }), 'committed\n');
      await zun.remove(uuid, child.uuid);
      const image = await zun.callAs<{ repo: string; tag: string; image_id: string }>('zun-admin', 'images.get', [imageUuid]);
      assert.deepEqual([image.repo, image.tag], ['kept/image', 'v1']);
      await zun.callAs('zun-admin', 'images.delete', [imageUuid]);
      await assert.rejects(zun.engine.request({ method: 'GET', path: `/images/${image.image_id}/json` }), /no such image/i);
      await refused(zun.call('containers.commit', [uuid, 'x']), 404, /could not be found/);
    });

    test('action list tells what was done, action show how it went', async () => {
      const zun = open();
      const { uuid, name } = await zun.run();
      await zun.call('containers.stop', [uuid, 5]);
      await zun.until(uuid, 'Stopped');
      const listed = await zun.json<Action[]>('appcontainer action list', name);
      assert.deepEqual(
        listed.map(({ action }) => action),
        ['stop', 'create'],
      );
      const shown = await zun.json<Action>('appcontainer action show', name, listed[0]?.request_id ?? '');
      assert.deepEqual([shown.action, shown.message], ['stop', null]);
      assert.ok(shown.finish_time);
      assert.deepEqual(
        shown.events?.map(({ event, result }) => [event, result]),
        [['compute__do_container_stop', 'Success']],
      );
      await refused(zun.call('actions.get', [uuid, 'req-nosuch']), 404, /req-nosuch/);
      await zun.remove(uuid);
    });

    test('an action that failed says why', async () => {
      const zun = open();
      const { uuid } = await zun.create({ image: `${zun.registry.host}/nosuch:1.0` }, 'Error');
      const [create] = await zun.call<Action[]>('actions.list', [uuid]);
      const shown = await zun.callAs<Action>('zun-admin', 'actions.get', [uuid, create?.request_id ?? '']);
      assert.deepEqual([shown.action, shown.events?.[0]?.result], ['create', 'Error']);
      assert.match(String(shown.events?.[0]?.traceback), /nosuch/);
      await zun.remove(uuid);
    });
  });
}
