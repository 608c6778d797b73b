import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podProbe } from './pod-probe.ts';

const figures = (intervalSeconds: number | null, timeoutSeconds: number | null, retries: number | null) => {
  const {
    periodSeconds,
    timeoutSeconds: timeout,
    failureThreshold,
  } = podProbe({ command: 'true', intervalSeconds, timeoutSeconds, retries });
  return [periodSeconds, timeout, failureThreshold];
};

test('a check runs in the shell', () => {
  assert.deepEqual(podProbe({ command: 'a && b', intervalSeconds: 1, timeoutSeconds: 1, retries: 1 }).exec, {
    command: ['/bin/sh', '-c', 'a && b'],
  });
});

test("figures that are absent or 0 are Docker's", () => {
  assert.deepEqual(figures(null, null, null), [30, 30, 3]);
  assert.deepEqual(figures(0, 0, 0), [30, 30, 3]);
});

test('seconds are whole, and at least one', () => {
  assert.deepEqual(figures(0.1, 2.5, 1), [1, 3, 1]);
});
