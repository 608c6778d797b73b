import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { isLessThan } from './is-less-than.ts';

test('whole numbers compare exactly, fractions with a tolerance', () => {
  assert.equal(
    replayVectors('is_less_than', ([one, two]: [number, number]) => isLessThan(one, two)),
    12,
  );
});
