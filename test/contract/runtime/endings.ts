import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import type { FixtureSource, RuntimeFixture } from './runtime-fixture.ts';
import { endsOnTerm, endsWith } from './scripts.ts';
import { type Workload, withStarted } from './workload.ts';

/** What the engine does by itself when a workload ends. */
export function endingTests(fixture: FixtureSource): void {
  test('auto-remove removes the workload when it ends', async () => {
    const { runtime, leftovers } = fixture();
    await withStarted(fixture(), { command: endsWith(0), autoRemove: true }, async ({ uuid }) => {
      await eventually(
        'gone',
        () => runtime.inspect(uuid),
        (seen) => seen === null,
      );
      if (leftovers)
        await eventually(
          'nothing left',
          () => leftovers(uuid),
          (names) => names.length === 0,
        );
    });
  });

  test('auto-remove removes the workload when it is stopped', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), { command: endsOnTerm(0), autoRemove: true }, async (workload) => {
      await workload.untilLogged('ready');
      await runtime.stop(workload.uuid, 10);
      await eventually(
        'gone',
        () => runtime.inspect(workload.uuid),
        (seen) => seen === null,
      );
    });
  });

  test('on-failure runs again as often as its maximum, then gives up with the code', async () => {
    await withStarted(
      fixture(),
      { command: endsWith(3), restartPolicy: { name: 'on-failure', maximumRetryCount: 2 } },
      async (workload) => {
        await untilRun(fixture(), workload, 3);
        assert.equal((await workload.until('exited')).exitCode, 3);
        if (fixture().keepsLogs === false) assert.equal((await workload.inspect()).restartCount, 2);
        else assert.equal(await workload.logs(), 'run\nrun\nrun\n');
      },
    );
  });

  test('on-failure lets a success rest', async () => {
    await withStarted(
      fixture(),
      { command: endsWith(0), restartPolicy: { name: 'on-failure', maximumRetryCount: 5 } },
      async (workload) => {
        await workload.until('exited');
        assert.equal(await workload.untilLogged('run'), 'run\n');
      },
    );
  });

  for (const name of ['always', 'unless-stopped'] as const) {
    test(`${name} runs again after a success, until it is stopped`, async () => {
      await withStarted(fixture(), { command: endsWith(0), restartPolicy: { name, maximumRetryCount: 0 } }, async (workload) => {
        await untilRun(fixture(), workload, 2);
        await fixture().runtime.stop(workload.uuid, 1);
        await workload.until('exited');
      });
    });
  }
}

/** Waits for so many runs of what says `run`: by its log, or by the runtime's own count where a log is of one run. */
async function untilRun({ keepsLogs = true }: RuntimeFixture, workload: Workload, times: number): Promise<void> {
  if (keepsLogs) await workload.untilLogged('run\n'.repeat(times));
  else await eventually(`${times} runs`, workload.inspect, ({ restartCount = 0 }) => restartCount >= times - 1);
}
