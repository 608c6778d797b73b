import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logsSince } from './logs-since.ts';

test('seconds and times in UTC are both understood', () => {
  assert.equal(logsSince('1000'), 1000);
  assert.equal(logsSince('1970-01-01 00:16:40,9'), 1000);
  assert.equal(logsSince('2020-01-01 00:00:00,000'), Date.UTC(2020, 0, 1) / 1000);
});

test('nothing and the empty string mean from the beginning', () => {
  for (const value of [undefined, null, '', 'None', '0', '1969-12-31 23:59:59,999']) assert.equal(logsSince(value), 0);
});

test('a number of any length stays one that engines read', () => {
  assert.equal(String(logsSince('9'.repeat(40))), '253402300799');
});

test('a date that no calendar has, or one inside other text, is a 400 and no 500', () => {
  for (const value of ['2026-02-30 00:00:00,0', '2026-13-01 00:00:00,0', '2026-01-01 25:00:00,0', 'x2026-01-01 00:00:00,0']) {
    assert.throws(() => logsSince(value), { status: 400, code: 'container.invalid-value' });
  }
});
