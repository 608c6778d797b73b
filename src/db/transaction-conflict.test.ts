import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConflict, TransactionConflict } from './transaction-conflict.ts';
import { isUniqueViolation } from './unique-violation.ts';

const failing = (fields: object) => Object.assign(new Error('x'), fields);

test('deadlocks, lock waits, serialization and certification failures are conflicts on each database', () => {
  for (const fields of [
    { errno: 1213 },
    { errno: 1205 },
    { errno: 1020 },
    { code: '40001' },
    { code: '40P01' },
    { errcode: 5 },
    { errcode: 261 },
  ]) {
    assert.equal(isConflict(failing(fields)), true, JSON.stringify(fields));
  }
  assert.equal(isConflict(new TransactionConflict(failing({ errno: 1062 }))), true);
});

test('a row that is there already is a unique violation and no conflict', () => {
  for (const fields of [{ errno: 1062 }, { code: '23505' }, { errcode: 2067 }, { errcode: 1555 }]) {
    assert.equal(isUniqueViolation(failing(fields)), true, JSON.stringify(fields));
    assert.equal(isConflict(failing(fields)), false);
  }
  assert.equal(isUniqueViolation(failing({ errno: 1213 })), false);
});
