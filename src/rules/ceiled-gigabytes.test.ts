import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { ceiledGigabytes } from './ceiled-gigabytes.ts';

test('megabytes are rounded up to gigabytes', () => {
  assert.equal(replayVectors('convert_mb_to_ceil_gb', ceiledGigabytes), 8);
});
