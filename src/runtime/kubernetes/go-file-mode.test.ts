import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goFileMode } from './go-file-mode.ts';

test('modes of stat(2) are those of Go', () => {
  assert.equal(goFileMode(0o100644), 0o644);
  assert.equal(goFileMode(0o040755), 2147484141);
  assert.equal(goFileMode(0o120777), 134218239);
  assert.equal(goFileMode(0o104755), 8389101);
  assert.equal(goFileMode(0o041777), 2148532735);
});
