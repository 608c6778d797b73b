import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { AppointedLooks } from './appointed-looks.ts';

/** Counts who sleeps. */
class CountingClock extends StandingClock {
  sleeping = 0;
  slept = 0;

  override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    assert.ok(milliseconds > 0 && milliseconds < 2 ** 31, `a timer of ${milliseconds} ms`);
    this.sleeping += 1;
    this.slept += 1;
    await super.sleep(milliseconds, signal);
    this.sleeping -= 1;
  }
}

function setUp() {
  const clock = new CountingClock();
  const begin = clock.now();
  const stopping = new AbortController();
  const looked: [uuid: string, second: number][] = [];
  const looks = new AppointedLooks(clock, stopping.signal, (uuid) => looked.push([uuid, (clock.now() - begin) / 1000]));
  return {
    clock,
    looked,
    stopping,
    appoint: (uuid: string, second: number | null) => looks.appoint(uuid, second === null ? null : begin + second * 1000),
    async pass(seconds: number, step = 1) {
      for (let passed = 0; passed < seconds; passed += step) await clock.advance(step * 1000);
    },
  };
}

test('each is looked at once when its time has come, whatever the order in which it was appointed', async () => {
  const bench = setUp();
  for (const [uuid, second] of [
    ['late', 200],
    ['soon', 5],
    ['middle', 65],
    ['with middle', 65],
  ] as const)
    bench.appoint(uuid, second);
  await bench.pass(300);
  assert.deepEqual(bench.looked, [
    ['soon', 5],
    ['middle', 65],
    ['with middle', 65],
    ['late', 200],
  ]);
});

test('a new time takes the place of the old one; what became healthy is not looked at', async () => {
  const bench = setUp();
  for (const uuid of ['moved later', 'moved sooner', 'healthy']) bench.appoint(uuid, 20);
  bench.appoint('moved later', 40);
  bench.appoint('moved sooner', 10);
  bench.appoint('healthy', null);
  await bench.pass(100);
  assert.deepEqual(bench.looked, [
    ['moved sooner', 10],
    ['moved later', 40],
  ]);
});

test('there is one timer, however many are appointed, and none when nothing is', async () => {
  const bench = setUp();
  for (let each = 0; each < 1000; each += 1) bench.appoint(`row ${each}`, 30 + (each % 10) / 10);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(bench.clock.sleeping, 1);
  const before = bench.clock.slept;
  await bench.pass(40);
  assert.equal(bench.looked.length, 1000);
  assert.ok(bench.clock.slept - before <= 2, 'those of one second are looked at together');
  assert.equal(bench.clock.sleeping, 0);
});

test('a time that has passed is looked at within a second or two, not in a loop without pause', async () => {
  const bench = setUp();
  bench.appoint('past', -50);
  assert.deepEqual(bench.looked, []);
  await bench.pass(2);
  assert.equal(bench.looked.length, 1);
});

test('a check that may take months fits into a timer', async () => {
  const bench = setUp();
  const days = 100 * 86_400;
  bench.appoint('slow', days);
  await bench.pass(days, 3600);
  assert.deepEqual(bench.looked, [['slow', days]]);
});

test('once it is stopped nobody is looked at', async () => {
  const bench = setUp();
  bench.appoint('row', 5);
  bench.stopping.abort();
  bench.appoint('another', 6);
  await bench.pass(20);
  assert.deepEqual([bench.looked, bench.clock.sleeping], [[], 0]);
});
