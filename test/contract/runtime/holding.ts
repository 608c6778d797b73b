import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilTold, whileWatching } from './events.ts';
import type { FixtureSource } from './runtime-fixture.ts';
import { endsOnTerm } from './scripts.ts';
import { command } from './talk.ts';
import { refused, withStarted } from './workload.ts';

/** Pause and unpause, and the states that forbid them. */
export function holdingTests(fixture: FixtureSource): void {
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
      await refused(runtime.openConsole(workload.uuid, command(['echo', 'x'])), 'conflict');
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

  test('pause and unpause are told', async () => {
    const { runtime } = fixture();
    await whileWatching(fixture(), async (told) => {
      await withStarted(fixture(), {}, async ({ uuid }) => {
        await untilTold(told, uuid, 'running');
        await runtime.pause(uuid);
        await untilTold(told, uuid, 'paused');
        await runtime.unpause(uuid);
        await untilTold(told, uuid, 'running');
      });
    });
  });
}
