import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { stringOrNone } from './string-or-none.ts';

test('the word None is null', () => {
  assert.equal(replayVectors('string_or_none', stringOrNone), 5);
  assert.equal(stringOrNone(undefined), null);
});
