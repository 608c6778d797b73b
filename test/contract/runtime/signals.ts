import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FixtureSource } from './runtime-fixture.ts';
import { endsOnTerm, endsWith } from './scripts.ts';
import { refused, withCreated, withStarted } from './workload.ts';

/** Kill with signals, and the states that forbid it. */
export function signalTests(fixture: FixtureSource): void {
  for (const name of ['SIGTERM', 'TERM', '15']) {
    test(`kill ${name} runs the workload's own handler`, async () => {
      await withStarted(fixture(), { command: endsOnTerm(5) }, async (workload) => {
        await workload.untilLogged('ready');
        await fixture().runtime.kill(workload.uuid, name);
        assert.equal((await workload.until('exited')).exitCode, 5);
      });
    });
  }

  for (const name of ['SIGKILL', '9']) {
    test(`kill ${name} ends a workload that handles nothing`, async () => {
      await withStarted(fixture(), {}, async (workload) => {
        await workload.until('running');
        await fixture().runtime.kill(workload.uuid, name);
        assert.equal((await workload.until('exited')).exitCode, 137);
      });
    });
  }

  test('a signal that does not exist is refused and the workload goes on', async () => {
    await withStarted(fixture(), {}, async (workload) => {
      await workload.until('running');
      await refused(fixture().runtime.kill(workload.uuid, 'SIGNOPE'), 'invalid');
      assert.equal((await workload.state()).status, 'running');
    });
  });

  test('kill of what does not run is a conflict', async () => {
    await withCreated(fixture(), { command: endsWith(0) }, async (workload) => {
      await refused(fixture().runtime.kill(workload.uuid, 'SIGTERM'), 'conflict');
      await fixture().runtime.start(workload.uuid);
      await workload.until('exited');
      await refused(fixture().runtime.kill(workload.uuid, 'SIGKILL'), 'conflict');
    });
  });
}
