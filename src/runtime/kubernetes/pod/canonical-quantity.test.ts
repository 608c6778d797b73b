import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalQuantity } from './canonical-quantity.ts';

// As kubectl shows what it was given, Kubernetes 1.34.
test('quantities are written as the API server writes them', () => {
  const { kibibytes, millicores } = canonicalQuantity;
  assert.deepEqual([0, 1, 1023, 1024, 1536, 1024 ** 2, 1024 ** 3 * 3].map(kibibytes), [
    '0',
    '1Ki',
    '1023Ki',
    '1Mi',
    '1536Ki',
    '1Gi',
    '3Ti',
  ]);
  assert.deepEqual([1, 999, 1000, 1500, 16000].map(millicores), ['1m', '999m', '1', '1500m', '16']);
});
