import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuntimeEvent, WorkloadState } from '../../../src/runtime/container-runtime.ts';
import { eventually } from './eventually.ts';
import type { FixtureSource, RuntimeFixture } from './runtime-fixture.ts';
import { endsOnTerm, endsWith } from './scripts.ts';
import { withCreated } from './workload.ts';

/** Changes are told as they happen: who looks after an event sees what it told of, whatever the engine calls it. */
export function eventTests(fixture: FixtureSource): void {
  test('a start, an end and a removal are told, with times', async () => {
    const { runtime } = fixture();
    await whileWatching(fixture(), async (told) => {
      await withCreated(fixture(), { command: endsOnTerm(0) }, async ({ uuid, untilLogged }) => {
        await runtime.start(uuid);
        await untilTold(told, uuid, 'running');
        await untilLogged('ready');
        await runtime.stop(uuid, 10);
        await untilTold(told, uuid, 'exited');
        await runtime.remove(uuid);
        await untilTold(told, uuid, 'removed');
        assert.equal(await runtime.inspect(uuid), null);
        for (const { event } of told) assert.ok(event.at > 1_600_000_000_000, `time ${event.at}`);
      });
    });
  });

  test('the stream says that it is there, and that all is told from now on', async () => {
    const heard: string[] = [];
    const over = new AbortController();
    const following = (async () => {
      for await (const _ of fixture().runtime.events(over.signal, (happening) => heard.push(happening)));
    })().catch((error) => {
      if (!over.signal.aborted) throw error;
    });
    const isThere = async () => heard.includes('opened') && heard.includes('connected');
    await Promise.race([eventually('it is there', isThere, (is) => is), following]);
    over.abort();
    await following;
    assert.equal(await isThere(), true);
  });

  test('an end of its own is told', async () => {
    const { runtime } = fixture();
    await whileWatching(fixture(), async (told) => {
      await withCreated(fixture(), { command: endsWith(0) }, async ({ uuid }) => {
        await runtime.start(uuid);
        await untilTold(told, uuid, 'exited');
      });
    });
  });
}

/** An event, whom it is about, and how that one was right after it; `null` = there was none. */
export interface Told {
  event: RuntimeEvent;
  subject: string;
  status: WorkloadState['status'] | null;
}

/**
 * Waits until the last event about the workload was one after which it was so. Of a removal whoever looks at once may still see the end
 * before it: a Pod is told to be gone, and its record goes moments later.
 */
export async function untilTold(told: Told[], uuid: string, wanted: WorkloadState['status'] | 'removed'): Promise<void> {
  const last = async () => {
    const { event, status } = told.findLast(({ subject }) => subject === uuid) ?? {};
    return status === null || event?.action === 'destroy' ? 'removed' : status;
  };
  await eventually(`told that it is ${wanted}`, last, (now) => now === wanted);
}

/**
 * Events are not replayed, so the body starts only once the stream is there: from then on everything is told. `subjectOf` says whom an event
 * is about, where that is another than its own workload.
 */
export async function whileWatching(
  fixture: RuntimeFixture,
  body: (told: Told[]) => Promise<void>,
  subjectOf: (uuid: string) => string = (uuid) => uuid,
): Promise<void> {
  const told: Told[] = [];
  const watch = new AbortController();
  const opened = Promise.withResolvers<void>();
  const watching = collect(fixture, { signal: watch.signal, opened: opened.resolve }, told, subjectOf);
  try {
    await Promise.race([opened.promise, watching]);
    await body(told);
  } finally {
    watch.abort();
    await watching;
  }
}

/** Ends quietly when the signal aborts, by return or by throw. */
async function collect(
  { runtime }: RuntimeFixture,
  { signal, opened }: { signal: AbortSignal; opened: () => void },
  told: Told[],
  subjectOf: (uuid: string) => string,
): Promise<void> {
  try {
    for await (const event of runtime.events(signal, (happening) => happening === 'opened' && opened())) {
      const subject = subjectOf(event.uuid);
      told.push({ event, subject, status: (await runtime.inspect(subject))?.state.status ?? null });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
