import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { withDeadline } from './with-deadline.ts';

test('the signal aborts when the time of the clock has passed, and not before', async () => {
  const clock = new StandingClock();
  const reason = withDeadline(
    clock,
    1_000,
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason.name))),
  );
  let ended = false;
  void reason.then(() => {
    ended = true;
  });
  await clock.advance(999);
  assert.equal(ended, false);
  await clock.advance(1);
  assert.equal(await reason, 'TimeoutError');
});

test('what ends in time is never aborted', async () => {
  const clock = new StandingClock();
  const signal = await withDeadline(clock, 1_000, async (own) => own);
  await clock.advance(2_000);
  assert.equal(signal.aborted, false);
});

test('the error of the work is the answer', async () => {
  const failing = withDeadline(new StandingClock(), 1_000, () => Promise.reject(new Error('no')));
  await assert.rejects(failing, /^Error: no$/);
});
