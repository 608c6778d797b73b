import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { sortDirection } from './sort-direction.ts';

test('a sort direction is asc or desc', () => {
  assert.equal(
    replayVectors('validate_sort_dir', (direction: string | null): string => sortDirection(direction)),
    6,
  );
});
