import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from './iso-time.ts';

test('times of actions have a T and six digits of a second', () => {
  assert.equal(isoTime(Date.UTC(2026, 0, 2, 3, 4, 5)), '2026-01-02T03:04:05.000000');
  assert.equal(isoTime(Date.UTC(2026, 0, 2, 3, 4, 5, 678)), '2026-01-02T03:04:05.678000');
});
