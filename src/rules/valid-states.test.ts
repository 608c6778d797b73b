import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { loadVectors } from '../../test/contract/vectors.ts';
import { requireState, type StatefulAction, VALID_STATES } from './valid-states.ts';

test('every action is allowed and refused in the statuses that the original says', () => {
  const call = ({ action, status }: { action: StatefulAction; status: string }) => {
    requireState(action, { uuid: 'u', status });
    return true;
  };
  assert.equal(replayVectors('valid_states', call), 254);
});

test('the table is the original’s, action by action', () => {
  const { table } = loadVectors<unknown, unknown, { table: Record<string, string[]> }>('valid_states');
  const sorted = (states: object) => Object.entries(states).map(([action, list]) => [action, [...list].sort()]);
  assert.deepEqual(new Map(sorted(VALID_STATES) as [string, string[]][]), new Map(sorted(table) as [string, string[]][]));
});
