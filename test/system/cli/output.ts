import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../engine/until.ts';
import { type ContainerView, refused, type ZunSession } from './zun-session.ts';

const script = 'echo one; echo bad >&2; sleep 2; echo two; trap "exit 0" TERM; while :; do sleep 1 & wait $!; done';

/** What comes out of a running container: logs, exec, top, stats. */
export function output(open: () => ZunSession): void {
  describe('output', () => {
    let container: ContainerView;
    const logs = (options: Record<string, unknown> = {}) =>
      open().call<string>('containers.logs', [container.uuid], { stdout: true, stderr: true, ...options });
    const execute = (command: string) =>
      open().call<{ output: string; exit_code: number }>('containers.execute', [container.uuid], { command });

    before(async () => {
      container = await open().run({ name: 'speaker', command: ['sh', '-c', script] });
      await until('the second line', async () => ((await logs()).includes('two') ? true : null));
    });
    after(() => open().remove(container.uuid));

    test('logs gives both streams, or the one that is asked for', async () => {
      const zun = open();
      assert.deepEqual((await zun.openstack('appcontainer', 'logs', 'speaker')).trim().split('\n').sort(), ['bad', 'one', 'two']);
      assert.equal((await zun.openstack('appcontainer', 'logs', '--stdout', 'speaker')).trim(), 'one\ntwo');
      assert.equal((await zun.openstack('appcontainer', 'logs', '--stderr', 'speaker')).trim(), 'bad');
    });

    test('logs takes tail, timestamps and since', async () => {
      const zun = open();
      assert.equal((await zun.openstack('appcontainer', 'logs', '--stdout', '--tail', '1', 'speaker')).trim(), 'two');
      const stamped = (await zun.openstack('appcontainer', 'logs', '--stdout', '--timestamps', 'speaker')).trim().split('\n');
      assert.match(stamped[0] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S* one$/);
      const [second = ''] = (stamped[1] ?? '').split(' ');
      const since = Math.floor(Date.parse(second) / 1000);
      assert.equal((await zun.openstack('appcontainer', 'logs', '--since', String(since), 'speaker')).trim(), 'two');
      assert.equal(await logs({ since: String(since + 3600) }), '');
    });

    test('exec gives the output and ends with the exit code of the command', async () => {
      const zun = open();
      const well = await zun.try('zun', ['appcontainer', 'exec', 'speaker', 'echo', 'in the', 'container']);
      assert.deepEqual([well.exitCode, well.stdout], [0, 'in the container\n\n']);
      const badly = await zun.try('zun', ['appcontainer', 'exec', 'speaker', 'sh', '-c', 'echo out; echo err >&2; exit 7']);
      assert.equal(badly.exitCode, 7);
      assert.deepEqual(badly.stdout.trim().split('\n').sort(), ['err', 'out']);
    });

    test("a command that is not there is 126 or 127 with the engine's words; broken quoting is refused", async () => {
      const { output: words, exit_code } = await execute('nosuch-command');
      assert.ok(exit_code === 126 || exit_code === 127, String(exit_code));
      assert.match(words, /nosuch-command/);
      await refused(execute('sh -c "broken'), 400, /No closing quotation/);
    });

    test('bytes that are no text are answered, at once', async () => {
      const began = performance.now();
      const { output: words, exit_code } = await execute("printf 'a\\377b'");
      assert.equal(exit_code, 0);
      assert.match(words, /^a.+b$/s);
      assert.ok(performance.now() - began < 10_000);
    });

    test('top lists the processes, with the arguments of ps that are given', async () => {
      const zun = open();
      const all = await zun.call<{ Titles: string[]; Processes: string[][] }>('containers.top', [container.uuid]);
      assert.ok(all.Titles.some((title) => /PID/.test(title)));
      assert.ok(
        all.Processes.some((row) => row.join(' ').includes('echo one')),
        JSON.stringify(all),
      );
      // The client's own command prints with `print(...) % value`, which no answer survives.
      const command = await zun.try('zun', ['appcontainer', 'top', 'speaker']);
      assert.match(command.stderr, /unsupported operand type/);
      await refused(zun.call('containers.top', [container.uuid, '--nonsense']), 400, /./);
    });

    test('stats shows what the container uses now', async () => {
      const shown = await open().json<Record<string, string | number>>('appcontainer stats', 'speaker');
      assert.deepEqual(Object.keys(shown), [
        'CONTAINER',
        'CPU %',
        'MEM USAGE(MiB)',
        'MEM LIMIT(MiB)',
        'MEM %',
        'BLOCK I/O(B)',
        'NET I/O(B)',
      ]);
      assert.equal(shown.CONTAINER, 'speaker');
      assert.ok(Number(shown['MEM USAGE(MiB)']) > 0);
      assert.ok(Math.abs(Number(shown['MEM LIMIT(MiB)']) - 512) < 1, String(shown['MEM LIMIT(MiB)']));
    });

    test('of a container that does not run, exec, top and stats are refused and logs are given', async () => {
      const zun = open();
      const { uuid } = await zun.run({ command: ['echo', 'over'] }, 'Stopped');
      await refused(zun.call('containers.execute', [uuid], { command: 'true' }), 409, /in Stopped state/);
      await refused(zun.call('containers.top', [uuid]), 409, /in Stopped state/);
      await refused(zun.call('containers.stats', [uuid]), 409, /in Stopped state/);
      assert.equal(await zun.call('containers.logs', [uuid], { stdout: true, stderr: true }), 'over\n');
      await zun.remove(uuid);
    });
  });
}
