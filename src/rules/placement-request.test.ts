import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { placementRequest } from './placement-request.ts';

interface Input {
  cpu: number | null;
  memory: string | null;
  disk: number | null;
  extra_spec: Record<string, unknown>;
  nodes_of_requested_host: string[] | null;
}

test('a container asks Placement for what the original asks', () => {
  const call = ({ extra_spec, nodes_of_requested_host, ...amounts }: Input) =>
    placementRequest(
      { ...amounts, extraSpec: extra_spec, nodesOfRequestedHost: nodes_of_requested_host },
      { cpu: 1, memory: 512, maxResults: 1000 },
    );
  assert.equal(replayVectors('placement_query', call), 42);
});

test('a group policy and forbidden traits of a numbered group are passed on', () => {
  const extraSpec = { group_policy: 'isolate', 'resources1:CUSTOM_GPU': 1, 'trait1:CUSTOM_OLD': 'forbidden', 'trait1:CUSTOM_NEW': 'maybe' };
  const { query } = placementRequest(
    { cpu: 1, memory: '4', disk: null, extraSpec, nodesOfRequestedHost: null },
    { cpu: 1, memory: 512, maxResults: 5 },
  );
  assert.deepEqual(
    [...new URLSearchParams(query)],
    [
      ['group_policy', 'isolate'],
      ['limit', '5'],
      ['required', '!CUSTOM_ZUN_COMPUTE_STATUS_DISABLED'],
      ['required1', '!CUSTOM_OLD'],
      ['resources', 'MEMORY_MB:4,VCPU:1'],
      ['resources1', 'CUSTOM_GPU:1'],
    ],
  );
});
