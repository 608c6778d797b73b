import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import type { PythonValue } from '../validation/python-value.ts';
import { isAllProjects } from './all-projects.ts';

test('all_projects is a boolean word; empty is no', () => {
  assert.equal(
    replayVectors('is_all_projects', (value: PythonValue) => isAllProjects(value)),
    22,
  );
  assert.equal(isAllProjects(undefined), false);
});
