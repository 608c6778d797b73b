import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { silentLogger } from '../telemetry/logger.ts';
import { Outage } from './outage.ts';

/** An engine that is there or not, as the test says, and what is said of it. */
function setUp() {
  const clock = new StandingClock();
  const said: [level: string, context: object, message: string][] = [];
  const bench = { isAway: true, asked: 0, ends: 0 };
  const outage = new Outage({
    dependency: 'engine',
    clock,
    logger: {
      ...silentLogger,
      warn: (context, message) => void said.push(['warn', context, message]),
      info: (context, message) => void said.push(['info', context, message]),
    },
    check: async () => {
      bench.asked += 1;
      // As the adapter does, whose calls tell of their ends.
      outage.suspect();
      if (bench.isAway) throw new Error('connect ECONNREFUSED 127.0.0.1:1');
    },
  });
  outage.onEnd(() => {
    bench.ends += 1;
  });
  const seconds = async (count: number) => {
    for (let second = 0; second < count; second += 1) await clock.advance(1000);
  };
  return Object.assign(bench, { outage, said, seconds });
}

test('who is away is told once with the reason, and once that it is back, with how long it took', async () => {
  const bench = setUp();
  for (let calls = 0; calls < 50; calls += 1) bench.outage.suspect();
  await bench.seconds(60);
  assert.deepEqual(bench.said, [
    ['warn', { dependency: 'engine', reason: 'connect ECONNREFUSED 127.0.0.1:1' }, 'the engine does not answer; it is asked until it does'],
  ]);
  assert.ok(bench.asked >= 6 && bench.asked <= 10, `asked ${bench.asked} times in a minute`);
  bench.isAway = false;
  await bench.seconds(10);
  assert.deepEqual(
    bench.said.slice(1).map(([level, , message]) => [level, message]),
    [['info', 'the engine answers']],
  );
  const seconds = bench.said.flatMap(([, context]) => ('seconds' in context ? [Number(context.seconds)] : []));
  assert.ok(seconds.length === 1 && seconds.every((each) => each >= 60 && each <= 70), `${seconds} s`);
  assert.equal(bench.ends, 1);
});

test('a call that failed by itself says nothing, and nothing more is asked', async () => {
  const bench = setUp();
  bench.isAway = false;
  bench.outage.suspect();
  await bench.seconds(120);
  assert.deepEqual([bench.said, bench.asked, bench.ends], [[], 1, 0]);
});

test('each outage is told anew', async () => {
  const bench = setUp();
  for (const isAway of [true, false, true, false]) {
    bench.isAway = isAway;
    bench.outage.suspect();
    await bench.seconds(15);
  }
  assert.deepEqual(
    bench.said.map(([level]) => level),
    ['warn', 'info', 'warn', 'info'],
  );
});

test('once stopped it says nothing: that the connection is closed is no outage', async () => {
  const bench = setUp();
  bench.isAway = false;
  bench.outage.suspect();
  bench.isAway = true;
  const stopped = bench.outage.stop();
  await bench.seconds(30);
  await stopped;
  bench.outage.suspect();
  await bench.seconds(30);
  assert.deepEqual(bench.said, []);
});
