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
