import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { availableNetwork, type NeutronNetwork } from './available-network.ts';

test('the oldest own network, or else the oldest shared one, is taken', () => {
  assert.equal(
    replayVectors('get_available_network', (networks: NeutronNetwork[]) => availableNetwork(networks, 'p').id),
    5,
  );
});
