import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { FixtureSource } from './runtime-fixture.ts';
import { shell, tellsItsSurroundings, tellsWhetherTty } from './scripts.ts';
import { withCreated, withStarted } from './workload.ts';

/** What a workload's specification asks for is what its process gets. */
export function optionTests(fixture: FixtureSource): void {
  test('environment, working directory and hostname are what was asked', async () => {
    const wishes = {
      command: tellsItsSurroundings,
      environment: { GREETING: 'hello', ODD: "a=b c 'd' ü" },
      workdir: '/srv/app',
      hostname: 'my-host',
      labels: { tier: 'front', 'odd.label/x': 'a=b' },
    };
    await withStarted(fixture(), wishes, async (workload) => {
      // Podman ends /etc/hostname without a line end.
      assert.equal((await workload.untilLogged('my-host')).trimEnd(), "greeting=hello\nodd=a=b c 'd' ü\n/srv/app\nmy-host");
      assert.equal((await workload.inspect()).hostname, 'my-host');
    });
  });

  test('a workload that asks for no hostname gets one', async () => {
    await withStarted(fixture(), {}, async (workload) => {
      assert.match((await workload.inspect()).hostname ?? '', /.+/);
    });
  });

  test('the entrypoint comes before the command', async () => {
    await withStarted(fixture(), { entrypoint: ['sh', '-c'], command: ['echo "as told"; sleep 1000'] }, async (workload) => {
      assert.equal(await workload.untilLogged('told'), 'as told\n');
    });
  });

  test('a terminal is there when asked for, and not otherwise', async (t) => {
    if (fixture().terminals === false) return t.skip('the runtime of this machine gives no terminals');
    await withStarted(fixture(), { tty: true, interactive: true, command: tellsWhetherTty }, async (workload) => {
      assert.match(await workload.untilLogged('tty'), /^has-tty\r?\n$/);
    });
    await withStarted(fixture(), { command: tellsWhetherTty }, async (workload) => {
      assert.equal(await workload.untilLogged('tty'), 'no-tty\n');
    });
  });

  test('a privileged workload with limits runs', async (t) => {
    if (fixture().privileged === false) return t.skip('this machine withholds capabilities that the engine gives');
    await withStarted(fixture(), { privileged: true, cpu: 0.5, memoryMiB: 64 }, async (workload) => void (await workload.until('running')));
  });

  test('content mounts are files in the workload, byte for byte, and leave nothing behind', async () => {
    const { runtime, leftovers } = fixture();
    const bytes = randomBytes(5_000);
    const mounts = [
      { kind: 'content' as const, content: bytes, destination: '/etc/app/data.bin' },
      { kind: 'content' as const, content: Buffer.from('second'), destination: '/etc/app/second' },
    ];
    await withCreated(fixture(), { mounts }, async (workload) => {
      await runtime.create(workload.spec);
      await runtime.start(workload.uuid);
      assert.deepEqual((await runtime.exec(workload.uuid, ['cat', '/etc/app/data.bin'], 10_000)).output, bytes);
      assert.equal((await runtime.exec(workload.uuid, shell('cat /etc/app/second'), 10_000)).output.toString(), 'second');
      await runtime.restart(workload.uuid, 0);
      assert.deepEqual((await runtime.exec(workload.uuid, ['cat', '/etc/app/data.bin'], 10_000)).output, bytes);
      await runtime.remove(workload.uuid);
      if (leftovers) assert.deepEqual(await leftovers(workload.uuid), []);
    });
  });
}
