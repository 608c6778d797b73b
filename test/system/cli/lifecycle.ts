import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pythonClient } from '../python-client.ts';
import { sleeper, type ZunSession } from './zun-session.ts';

/** A container's life by the `openstack` command: what a newcomer types. */
export function lifecycle(open: () => ZunSession): void {
  describe('the life of a container', () => {
    test('run starts a container, and its output and exit status are kept when it has ended', async () => {
      const zun = open();
      // A process of its own, as the welcome of `npm start` has it; the other commands are forks of one.
      const client = await pythonClient();
      const cloud = { cloudsFile: zun.standalone.cloudsFile, name: 'zun' };
      const words = ['appcontainer', 'run', '-f', 'json', '--name', 'first', zun.image, 'sh', '-c', 'echo hello; exit 3'];
      const made = JSON.parse(await client.text(cloud, ...words));
      assert.deepEqual([made.name, made.image, made.status], ['first', zun.image, 'Creating']);
      const ended = await zun.until('first', 'Stopped');
      assert.match(String(ended.status_detail), /^Exited\(3\) .* ago ?$/);
      assert.equal(await zun.openstack('appcontainer', 'logs', 'first'), 'hello\n\n');
      await zun.openstack('appcontainer', 'delete', 'first');
      await zun.untilGone('first');
    });

    test('create, start, pause, unpause, restart, stop, start again, kill and delete, each seen in status and engine', async () => {
      const zun = open();
      const engine = async () => (await zun.inspect(uuid)).State;
      await zun.openstack('appcontainer', 'create', '--name', 'web', zun.image, ...sleeper);
      const { uuid } = await zun.until('web', 'Created');
      assert.equal((await engine()).Running, false);
      assert.match(await zun.openstack('appcontainer', 'start', 'web'), /Request to start container web has been accepted/);
      assert.match(String((await zun.until('web', 'Running')).status_detail), /^Up /);
      await zun.openstack('appcontainer', 'pause', 'web');
      await zun.until('web', 'Paused');
      assert.equal((await engine()).Status, 'paused');
      await zun.openstack('appcontainer', 'unpause', 'web');
      await zun.until('web', 'Running');
      const before = (await zun.inspect(uuid)).State;
      await zun.openstack('appcontainer', 'restart', 'web');
      await zun.until('web', 'Running');
      assert.notDeepEqual((await zun.inspect(uuid)).State, before);
      await zun.openstack('appcontainer', 'stop', '--timeout', '5', 'web');
      assert.match(String((await zun.until('web', 'Stopped')).status_detail), /^Exited\(0\)/);
      await zun.openstack('appcontainer', 'start', 'web');
      await zun.until('web', 'Running');
      await zun.openstack('appcontainer', 'kill', 'web');
      assert.match(String((await zun.until('web', 'Stopped')).status_detail), /^Exited\(137\)/);
      await zun.openstack('appcontainer', 'delete', 'web');
      await zun.untilGone('web');
      await assert.rejects(engine(), /no such container/i);
    });

    test('stop keeps filesystem and logs', async () => {
      const zun = open();
      const script = 'test -e /mark && cat /mark; echo kept > /mark; trap "exit 0" TERM; while :; do sleep 1 & wait $!; done';
      const { uuid } = await zun.run({ command: ['sh', '-c', script] });
      await zun.call('containers.stop', [uuid, 5]);
      await zun.until(uuid, 'Stopped');
      await zun.call('containers.start', [uuid]);
      await zun.until(uuid, 'Running');
      const { output } = await zun.call<{ output: string }>('containers.execute', [uuid], { command: 'cat /mark', run: 'true' });
      assert.equal(output, 'kept\n');
      assert.match(await zun.call('containers.logs', [uuid], { stdout: true, stderr: true }), /kept/);
      await zun.remove(uuid);
    });

    test('kill sends the signal that is named', async () => {
      const zun = open();
      const { uuid } = await zun.run({
        command: ['sh', '-c', 'trap "echo got usr1" USR1; trap "exit 9" TERM; while :; do sleep 1 & wait $!; done'],
      });
      await zun.openstack('appcontainer', 'kill', '--signal', 'USR1', uuid);
      const until = async (text: RegExp) => {
        for (let left = 100; ; left -= 1) {
          const logs = await zun.call<string>('containers.logs', [uuid], { stdout: true, stderr: true });
          if (text.test(logs)) return;
          assert.ok(left > 0, `${text} is in ${logs}`);
        }
      };
      await until(/got usr1/);
      assert.equal((await zun.until(uuid, 'Running')).status, 'Running');
      await zun.call('containers.kill', [uuid], { signal: 'SIGTERM' });
      assert.match(String((await zun.until(uuid, 'Stopped')).status_detail), /^Exited\(9\)/);
      await zun.remove(uuid);
    });
  });
}
