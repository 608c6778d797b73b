import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuntimeEvent } from '../../../src/runtime/container-runtime.ts';
import { eventually } from './eventually.ts';
import type { FixtureSource, RuntimeFixture } from './runtime-fixture.ts';
import { endsWith } from './scripts.ts';
import { withCreated, withStarted } from './workload.ts';

/** Changes are told as they happen. */
export function eventTests(fixture: FixtureSource): void {
  test('start, die and destroy are told in order, with times', async () => {
    const { runtime } = fixture();
    await whileWatching(fixture(), async (seen) => {
      await withCreated(fixture(), { command: endsWith(0) }, async (workload) => {
        await runtime.start(workload.uuid);
        await workload.until('exited');
        await runtime.remove(workload.uuid);
        const of = async () => seen.filter((event) => event.uuid === workload.uuid).map((event) => event.action);
        const actions = await eventually('destroy told', of, (list) => list.includes('destroy'));
        const wanted = actions.filter((action) => ['start', 'die', 'destroy'].includes(action));
        assert.deepEqual(wanted, ['start', 'die', 'destroy']);
        for (const event of seen) assert.ok(event.at > 1_600_000_000_000, `time ${event.at}`);
      });
    });
  });

  test('pause and unpause are told', async () => {
    const { runtime } = fixture();
    await whileWatching(fixture(), async (seen) => {
      await withStarted(fixture(), {}, async (workload) => {
        await workload.until('running');
        await runtime.pause(workload.uuid);
        await runtime.unpause(workload.uuid);
        const of = async () => seen.filter((event) => event.uuid === workload.uuid).map((event) => event.action);
        const actions = await eventually('unpause told', of, (list) => list.includes('unpause'));
        assert.ok(actions.includes('pause'));
      });
    });
  });
}

/** Events are not replayed, so the body starts only once the stream has told something. */
async function whileWatching(fixture: RuntimeFixture, body: (seen: RuntimeEvent[]) => Promise<void>): Promise<void> {
  const seen: RuntimeEvent[] = [];
  const watch = new AbortController();
  const watching = collect(fixture, watch.signal, seen);
  try {
    const poke = () => withStarted(fixture, { command: endsWith(0) }, async (workload) => void (await workload.until('exited')));
    await eventually('the stream tells anything', poke, () => seen.length > 0);
    await body(seen);
  } finally {
    watch.abort();
    await watching;
  }
}

/** Ends quietly when the signal aborts, by return or by throw. */
async function collect(fixture: RuntimeFixture, signal: AbortSignal, seen: RuntimeEvent[]): Promise<void> {
  try {
    for await (const event of fixture.runtime.events(signal)) seen.push(event);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
