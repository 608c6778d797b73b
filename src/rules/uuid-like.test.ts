import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { isUuidLike } from './uuid-like.ts';

test('idents that are uuids in some spelling are told from names', () => {
  assert.equal(replayVectors('is_uuid_like', isUuidLike), 11);
});
