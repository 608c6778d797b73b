import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, quantityOf } from './quantity.ts';

test('quantities of every unit are numbers', () => {
  assert.equal(quantityOf('2'), 2);
  assert.equal(quantityOf('500m'), 0.5);
  assert.equal(quantityOf('250000n'), 0.00025);
  assert.equal(quantityOf('250u'), 0.00025);
  assert.equal(quantityOf('1e3'), 1000);
  assert.equal(bytesOf('64Mi'), 64 * 1024 * 1024);
  assert.equal(bytesOf('16384Ki'), 16 * 1024 * 1024);
  assert.equal(bytesOf('128M'), 128_000_000);
  assert.ok(Number.isNaN(quantityOf('a lot')));
  assert.ok(Number.isNaN(quantityOf('12Xi')));
});
