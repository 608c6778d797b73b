import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { serviceIsUp } from './service-is-up.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const silent = { forcedDown: false, lastSeenUp: null, updatedAt: null, createdAt: null };

interface Input {
  seconds_ago: number;
  time_in: 'last_seen_up' | 'updated_at' | 'created_at';
  forced_down: boolean;
}

test('a service is up within the down time of its last sign', () => {
  const field = { last_seen_up: 'lastSeenUp', updated_at: 'updatedAt', created_at: 'createdAt' } as const;
  const call = ({ seconds_ago, time_in, forced_down }: Input) =>
    serviceIsUp({ ...silent, [field[time_in]]: NOW - seconds_ago * 1000, forcedDown: forced_down }, NOW, 180);
  assert.equal(replayVectors('service_is_up', call), 43);
});

test('the last sign is the heartbeat, before the row’s own times; a service without any is down', () => {
  assert.equal(serviceIsUp({ ...silent, lastSeenUp: NOW - 200_000, updatedAt: NOW }, NOW, 180), false);
  assert.equal(serviceIsUp(silent, NOW, 180), false);
});
