import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import type { RuntimeEvent, StreamHappening } from '../runtime/container-runtime.ts';
import { silentLogger } from '../telemetry/logger.ts';
import { followEvents } from './follow-events.ts';

/** A stream as the adapter makes it, in the hands of the test. */
interface Stream {
  told(happening: StreamHappening): void;
  event(uuid: string, action: string): void;
  fail(): void;
}

/** Somebody who follows streams, and all that he does. */
function setUp() {
  const clock = new StandingClock();
  const streams: Stream[] = [];
  const done: string[] = [];
  const stopping = new AbortController();
  const events = (signal: AbortSignal, told: (happening: StreamHappening) => void = () => {}) => {
    const broken = Promise.withResolvers<null>();
    let next = Promise.withResolvers<RuntimeEvent | null>();
    signal.addEventListener('abort', () => broken.resolve(null));
    streams.push({
      told,
      event: (uuid, action) => next.resolve({ uuid, action, at: 0 }),
      fail: () => broken.reject(new Error('broken')),
    });
    return (async function* () {
      for (;;) {
        const event = await Promise.race([next.promise, broken.promise]);
        if (event === null) return;
        next = Promise.withResolvers();
        yield event;
      }
    })();
  };
  const following = followEvents(
    {
      runtime: { events },
      list: (cause) => done.push(`list ${cause}`),
      touch: (uuid) => done.push(`touch ${uuid}`),
      clock,
      logger: { ...silentLogger, warn: () => done.push('warn'), debug: () => done.push('debug') },
      observer: {
        streamMet: (happening) => done.push(happening),
        eventSeen: (action) => done.push(`seen ${action}`),
        streamBroke: () => done.push('broke'),
      },
    },
    stopping.signal,
  );
  const settled = async () => {
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    clock,
    settled,
    get stream() {
      return streams.at(-1) as Stream;
    },
    /** What was done since this was asked last. */
    doneSince: () => done.splice(0),
    async broken() {
      this.stream.fail();
      await settled();
    },
    /** Until the next stream is asked for. */
    async again() {
      const before = streams.length;
      for (let seconds = 0; seconds < 60 && streams.length === before; seconds += 1) {
        await clock.advance(1000);
        await settled();
      }
    },
    async stop() {
      stopping.abort();
      await following;
    },
  };
}

test('each listing has its cause: the start, a connection that was lost, a stream that could not go on', async () => {
  const bench = setUp();
  bench.stream.told('opened');
  assert.deepEqual(bench.doneSince(), ['opened', 'list start']);
  await bench.broken();
  await bench.again();
  bench.doneSince();
  bench.stream.told('opened');
  assert.deepEqual(bench.doneSince(), ['opened', 'list reconnected']);
  bench.stream.told('expired');
  await bench.broken();
  await bench.again();
  bench.doneSince();
  bench.stream.told('opened');
  assert.deepEqual(bench.doneSince(), ['opened', 'list expired']);
  // What comes after is a loss of its own.
  await bench.broken();
  await bench.again();
  bench.doneSince();
  bench.stream.told('opened');
  assert.deepEqual(bench.doneSince(), ['opened', 'list reconnected']);
  await bench.stop();
});

test('events are seen and their rows brought in line; that nobody follows any longer is told', async () => {
  const bench = setUp();
  bench.stream.told('connected');
  bench.stream.told('opened');
  bench.stream.event('one', 'die');
  await bench.settled();
  bench.stream.event('two', 'start');
  await bench.settled();
  bench.stream.told('alive');
  await bench.stop();
  const stopped = bench.doneSince();
  assert.deepEqual(stopped.slice(0, 8), ['connected', 'opened', 'list start', 'seen die', 'touch one', 'seen start', 'touch two', 'alive']);
  assert.equal(stopped.at(-1), 'left');
  assert.equal(stopped.includes('broke'), false);
});

test('a stream that cannot be had is said once, until it was there', async () => {
  const bench = setUp();
  const said = () => bench.doneSince().filter((line) => line === 'warn' || line === 'debug');
  for (let times = 0; times < 5; times += 1) {
    await bench.broken();
    await bench.again();
  }
  assert.deepEqual(said(), ['warn', 'debug', 'debug', 'debug', 'debug']);
  bench.stream.told('opened');
  await bench.broken();
  await bench.again();
  await bench.broken();
  assert.deepEqual(said(), ['warn', 'debug']);
  await bench.stop();
});
