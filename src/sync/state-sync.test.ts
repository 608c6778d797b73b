import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import type { ContainerRuntime, RuntimeEvent, StreamHappening, WorkloadObservation } from '../runtime/container-runtime.ts';
import { silentLogger } from '../telemetry/logger.ts';
import type { Reconciled } from './reconciled.ts';
import { startStateSync } from './state-sync.ts';

const interval = 600_000;

/** State sync on an engine whose stream and listings the test opens, breaks and ends. */
function setUp(reconcile: (uuid: string) => Promise<Reconciled> = async () => 'settled') {
  const clock = new StandingClock();
  const log: string[] = [];
  const listed: Partial<WorkloadObservation>[] = [];
  const streams: { open(): void; fail(): void }[] = [];
  const listings: (() => void)[] = [];
  const runtime = {
    list: async () => {
      log.push('list');
      await new Promise<void>((resolve) => listings.push(resolve));
      return listed;
    },
    async *events(_signal: AbortSignal, told: (happening: StreamHappening) => void): AsyncGenerator<RuntimeEvent> {
      const broken = Promise.withResolvers<void>();
      streams.push({ open: () => told('opened'), fail: () => broken.reject(new Error('broken')) });
      _signal.addEventListener('abort', () => broken.resolve());
      await broken.promise;
    },
  };
  const sync = startStateSync({
    runtime: runtime as unknown as ContainerRuntime,
    reconcile,
    differing: async () => [],
    clock,
    logger: silentLogger,
    listInterval: interval,
  });
  const settled = async () => {
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const lists = () => log.length;
  const endListing = async () => {
    listings.shift()?.();
    await settled();
  };
  const stop = async () => {
    for (const end of listings) end();
    await sync.stop();
  };
  return { clock, sync, streams, listed, lists, settled, endListing, stop };
}

test('rows are listed once the stream is there, and after each break once it is there again: nothing falls between the two', async () => {
  const { clock, streams, lists, settled, endListing, stop } = setUp();
  await settled();
  assert.equal(lists(), 0);
  streams[0]?.open();
  await settled();
  assert.equal(lists(), 1);
  await endListing();

  streams[0]?.fail();
  await settled();
  await clock.advance(200);
  await settled();
  assert.deepEqual([streams.length, lists()], [2, 1]);
  streams[1]?.open();
  await settled();
  assert.equal(lists(), 2);
  await stop();
});

test('rows are listed without a stream when it is not there in time, and at once when it cannot be had', async () => {
  const slow = setUp();
  await slow.settled();
  await slow.clock.advance(5_000);
  await slow.settled();
  assert.equal(slow.lists(), 1);
  await slow.stop();

  const refused = setUp();
  await refused.settled();
  refused.streams[0]?.fail();
  await refused.settled();
  assert.equal(refused.lists(), 1);
  await refused.endListing();
  await refused.sync.firstListing;
  await refused.stop();
});

test('one listing runs at a time; those that are asked for meanwhile are one, after it', async () => {
  const { clock, streams, lists, settled, endListing, stop } = setUp();
  await settled();
  streams[0]?.open();
  await settled();
  for (let breaks = 0; breaks < 3; breaks += 1) {
    streams[breaks]?.fail();
    await settled();
    await clock.advance(2_000);
    await settled();
    streams[breaks + 1]?.open();
    await settled();
  }
  assert.equal(lists(), 1);
  await endListing();
  assert.equal(lists(), 2);
  await endListing();
  assert.equal(lists(), 2);
  await clock.advance(interval);
  await settled();
  assert.equal(lists(), 3);
  await stop();
});

test('what time alone changes is looked at when its time has come, whether a look or a listing has said so, and once', async () => {
  const looked: string[] = [];
  const lookAgainAt: Record<string, number> = {};
  const bench = setUp(async (uuid) => {
    looked.push(uuid);
    const { [uuid]: at } = lookAgainAt;
    delete lookAgainAt[uuid];
    return at === undefined ? 'settled' : { lookAgainAt: at };
  });
  const { clock, sync, streams, listed, settled, endListing, stop } = bench;
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) await clock.advance(1000);
    await settled();
    return looked.splice(0);
  };
  const now = clock.now();
  listed.push({ uuid: 'listed', changesAt: now + 30_000 }, { uuid: 'healthy' });
  lookAgainAt.touched = now + 60_000;
  await settled();
  streams[0]?.open();
  await settled();
  await endListing();
  sync.touch('touched');
  assert.deepEqual(await pass(29), ['touched']);
  assert.deepEqual(await pass(2), ['listed']);
  assert.deepEqual(await pass(30), ['touched']);
  assert.deepEqual(await pass(200), []);
  await stop();
});
