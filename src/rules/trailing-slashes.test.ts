import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadVectors } from '../../test/contract/vectors.ts';
import { withoutTrailingSlashes } from './trailing-slashes.ts';

test('slashes at the end go, but not the last character', () => {
  // The recorded null has no counterpart: a path is text.
  const cases = loadVectors<string | null, string>('safe_rstrip').cases.filter((vector) => vector.in !== null);
  assert.equal(cases.length, 6);
  for (const { in: path, out } of cases) {
    assert.equal(withoutTrailingSlashes(path ?? ''), out);
  }
});
