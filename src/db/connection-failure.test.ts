import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommitUnknown, connectionFailure } from './connection-failure.ts';

const failing = (fields: object, message = 'x') => Object.assign(new Error(message), fields);

test('a statement that was certainly not executed is told from one that may have been', () => {
  const refused = [{ code: 'ECONNREFUSED' }, { errno: 1290 }, { errno: 1047 }, { errno: 1040 }, { code: '25006' }, { code: '57P03' }];
  for (const fields of refused) assert.equal(connectionFailure(failing(fields)), 'refused', JSON.stringify(fields));
  const lost = [{ code: 'ECONNRESET' }, { code: 'PROTOCOL_CONNECTION_LOST' }, { errno: 1927 }, { code: '57P01' }, { code: '08006' }];
  for (const fields of lost) assert.equal(connectionFailure(failing(fields)), 'lost', JSON.stringify(fields));
  assert.equal(connectionFailure(failing({}, "Can't add new command when connection is in closed state")), 'lost');
});

test('an attempt at several addresses fails as its parts do', () => {
  assert.equal(connectionFailure(new AggregateError([failing({ code: 'ECONNREFUSED' }), failing({ code: 'ECONNREFUSED' })])), 'refused');
});

test('other errors, and a COMMIT without an answer, are not failures of a connection', () => {
  for (const fields of [{ errno: 1062 }, { errno: 1213 }, { code: '23505' }, { code: '40001' }, {}]) {
    assert.equal(connectionFailure(failing(fields)), null, JSON.stringify(fields));
  }
  assert.equal(connectionFailure(new CommitUnknown(failing({ code: 'ECONNRESET' }))), null);
  assert.equal(connectionFailure('ECONNRESET'), null);
});
