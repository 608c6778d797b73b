import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FixtureSource } from './runtime-fixture.ts';
import { endsWith, shell } from './scripts.ts';
import { refused, withStarted } from './workload.ts';

/** Commands run inside a running workload. */
export function execTests(fixture: FixtureSource): void {
  test('exec answers the output and 0', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      const result = await fixture().runtime.exec(uuid, ['echo', 'hello world'], 10_000);
      assert.deepEqual([result.output.toString(), result.exitCode], ['hello world\n', 0]);
    });
  });

  test('exec answers both streams and the exit code of what failed', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      const result = await fixture().runtime.exec(uuid, shell('echo out; echo err >&2; exit 3'), 10_000);
      assert.deepEqual(result.output.toString().split('\n').toSorted(), ['', 'err', 'out']);
      assert.equal(result.exitCode, 3);
    });
  });

  test('exec of a program that does not exist answers 126 or 127 and a text that names it', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      const result = await fixture().runtime.exec(uuid, ['no-such-program'], 10_000);
      assert.ok([126, 127].includes(result.exitCode), `exit code ${result.exitCode}`);
      assert.match(result.output.toString(), /no-such-program/);
    });
  });

  test('exec answers raw bytes, UTF-8 or not', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      const result = await fixture().runtime.exec(uuid, shell("printf '\\377\\376\\000A\\012'"), 10_000);
      assert.deepEqual([...result.output], [0xff, 0xfe, 0, 0x41, 0x0a]);
    });
  });

  test('exec sees the environment and the directory of the workload', async () => {
    await withStarted(fixture(), { environment: { COLOUR: 'blue' }, workdir: '/work' }, async ({ uuid }) => {
      const result = await fixture().runtime.exec(uuid, shell('echo $COLOUR; pwd'), 10_000);
      assert.equal(result.output.toString(), 'blue\n/work\n');
    });
  });

  test('exec that outlasts its deadline is a timeout, and the workload goes on', async () => {
    await withStarted(fixture(), {}, async (workload) => {
      await refused(fixture().runtime.exec(workload.uuid, ['sleep', '1000'], 500), 'timeout');
      assert.equal((await workload.state()).status, 'running');
    });
  });

  test('exec in what is stopped is a conflict', async () => {
    await withStarted(fixture(), { command: endsWith(0) }, async (workload) => {
      await workload.until('exited');
      await refused(fixture().runtime.exec(workload.uuid, ['echo', 'x'], 5_000), 'conflict');
    });
  });
}
