import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FixtureSource } from './runtime-fixture.ts';
import { endsOnTerm, endsWith } from './scripts.ts';
import { refused, withCreated, withStarted } from './workload.ts';

/** Kill with signals, pause and unpause, and the states that forbid them. */
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

  test('pause holds the workload and unpause lets it go on', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), { command: endsOnTerm(0) }, async (workload) => {
      await workload.untilLogged('ready');
      const before = await workload.state();
      await runtime.pause(workload.uuid);
      const held = await workload.until('paused');
      assert.equal(held.startedAt, before.startedAt);
      await runtime.unpause(workload.uuid);
      await workload.until('running');
      await runtime.stop(workload.uuid, 10);
      assert.equal((await workload.until('exited')).exitCode, 0);
    });
  });

  test('pausing twice, unpausing what runs, and either on what is stopped are conflicts', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), {}, async (workload) => {
      await workload.until('running');
      await refused(runtime.unpause(workload.uuid), 'conflict');
      await runtime.pause(workload.uuid);
      await refused(runtime.pause(workload.uuid), 'conflict');
      await refused(runtime.exec(workload.uuid, ['echo', 'x'], 5_000), 'conflict');
      await refused(runtime.start(workload.uuid), 'conflict');
      await runtime.unpause(workload.uuid);
      await runtime.kill(workload.uuid, 'SIGKILL');
      await workload.until('exited');
      await refused(runtime.pause(workload.uuid), 'conflict');
      await refused(runtime.unpause(workload.uuid), 'conflict');
    });
  });

  test('a paused workload can be removed', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), {}, async (workload) => {
      await workload.until('running');
      await runtime.pause(workload.uuid);
      await runtime.remove(workload.uuid);
      assert.equal(await runtime.inspect(workload.uuid), null);
    });
  });
}
