import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ranUntilLost } from './ran-until-lost.ts';

const now = Date.parse('2026-03-01T10:00:09Z');
const killed = { status: 'Stopped', statusDetail: 'Exited(137) at 2026-03-01T10:00:00Z' } as const;

test('a running container ran, and so did one that was killed a moment ago by nobody of Zun', () => {
  assert.equal(ranUntilLost({ status: 'Running', statusDetail: null }, 'create', now), true);
  assert.equal(ranUntilLost(killed, 'create', now), true);
  assert.equal(ranUntilLost(killed, null, now), true);
});

test('a container that the user stopped, that ended by itself, or that ended long ago did not run', () => {
  assert.equal(ranUntilLost(killed, 'stop', now), false);
  assert.equal(ranUntilLost(killed, 'kill', now), false);
  assert.equal(ranUntilLost({ ...killed, statusDetail: 'Exited(0) at 2026-03-01T10:00:00Z' }, 'create', now), false);
  assert.equal(ranUntilLost(killed, 'create', now + 60_000), false);
  assert.equal(ranUntilLost({ status: 'Created', statusDetail: 'Created' }, 'create', now), false);
  assert.equal(ranUntilLost({ status: 'Stopped', statusDetail: null }, 'create', now), false);
});

test('a container that nobody could look at ran if it did so when it was last seen', () => {
  assert.equal(ranUntilLost({ status: 'Unknown', statusDetail: 'Was Running' }, 'create', now), true);
  for (const statusDetail of ['Was Stopped', 'Was Created', null])
    assert.equal(ranUntilLost({ status: 'Unknown', statusDetail }, 'create', now), false);
});
