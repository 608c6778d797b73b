import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { KeyedQueue } from './keyed-queue.ts';
import type { Reconciled } from './reconciled.ts';

function queueOf(answers: (Reconciled | Error)[]) {
  const clock = new StandingClock();
  const stopping = new AbortController();
  const times: number[] = [];
  const began = clock.now();
  const queue = new KeyedQueue(clock, stopping.signal, async () => {
    times.push(clock.now() - began);
    const answer = answers.shift() ?? 'settled';
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { clock, queue, stopping, times };
}

test('a row whose task is at work is looked at again until the task has ended: its container may have ended before it', async () => {
  const { clock, queue, times } = queueOf(['busy', 'busy', 'busy', 'settled']);
  queue.add('a');
  for (let look = 0; look < 40; look += 1) await clock.advance(look === 0 ? 0 : 250);
  assert.deepEqual(times, [0, 250, 750, 1750]);
  await queue.drained();
});

test('a look that fails is made again, and one that settles is not', async () => {
  const { clock, queue, times } = queueOf([new Error('no answer')]);
  queue.add('a');
  for (let look = 0; look < 10; look += 1) await clock.advance(look === 0 ? 0 : 1_000);
  assert.deepEqual(times, [0, 1_000]);
});

test('a queue that stops waits for nothing', async () => {
  const { clock, queue, stopping } = queueOf(['busy', 'busy']);
  queue.add('a');
  await clock.advance(1);
  stopping.abort();
  await queue.drained();
});

test('of thousands of keys few are worked on at a time, all come to their turn, and one that came twice meanwhile has one', async () => {
  const worked = new Map<string, number>();
  let [running, most] = [0, 0];
  const queue = new KeyedQueue(new StandingClock(), new AbortController().signal, async (key) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    worked.set(key, (worked.get(key) ?? 0) + 1);
    running -= 1;
    return 'settled';
  });
  for (let key = 0; key < 1_000; key += 1) queue.add(String(key));
  queue.add('999');
  await queue.drained();
  assert.equal(most, 16);
  assert.equal(worked.size, 1_000);
  assert.deepEqual(
    [...worked].filter(([, times]) => times !== 1),
    [],
  );
});

test('what sleeps until it is looked at again keeps no other key waiting', async () => {
  const seen: string[] = [];
  const queue = new KeyedQueue(new StandingClock(), new AbortController().signal, async (key) => {
    seen.push(key);
    return key === 'last' ? 'settled' : 'busy';
  });
  for (let key = 0; key < 16; key += 1) queue.add(String(key));
  queue.add('last');
  for (let turn = 0; turn < 100 && !seen.includes('last'); turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(seen.includes('last'));
});
