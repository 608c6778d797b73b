import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { listLimit } from './list-limit.ts';

test('a limit is a positive whole number, cut to the maximum', () => {
  assert.equal(
    replayVectors('validate_limit', (limit: string | number | boolean | null) => listLimit(limit, 1000)),
    15,
  );
  assert.equal(listLimit('99999999999999999999', 1000), 1000);
});
