import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../telemetry/clock.ts';
import { untilOldEnough } from './end-in-place.ts';

const at = Date.parse('2026-03-01T12:00:00Z');

for (const [what, startTime, waited] of [
  ['a Pod that has just started is waited for', new Date(at), [2_300]],
  ['as long as it is young', new Date(at - 2_000), [300]],
  ['an older one is not', new Date(at - 2_300), []],
  ['one whose node’s clock is ahead no longer than others', new Date(at + 60_000), [2_300]],
  ['one without a start has nothing to run again', undefined, []],
] as const)
  test(`the end in place holds at once: ${what}`, async () => {
    const waits: number[] = [];
    const clock = { ...systemClock, now: () => at, sleep: async (milliseconds: number) => void waits.push(milliseconds) };
    await untilOldEnough({ clock }, startTime ? { status: { startTime } } : {});
    assert.deepEqual(waits, waited);
  });
