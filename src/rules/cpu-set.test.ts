import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { parseCpuSet } from './cpu-set.ts';

test('a CPU set is numbers and rising ranges', () => {
  assert.equal(replayVectors('parse_floating_cpu', parseCpuSet), 11);
});
