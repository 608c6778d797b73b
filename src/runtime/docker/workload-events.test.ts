import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeEvent } from './workload-events.ts';

const line = (Action: string, Attributes: object) => JSON.stringify({ Action, Actor: { Attributes }, time: 5, timeNano: 5_123_456_789 });
const ours = { 'org.openstack.zun.container': 'u', exitCode: '0' };

test('an event of one of our containers is read, its time in milliseconds', () => {
  assert.deepEqual(runtimeEvent(line('die', ours)), { uuid: 'u', action: 'die', at: 5123 });
});

test("details are cut off, and Podman's remove is Docker's destroy", () => {
  assert.equal(runtimeEvent(line('health_status: healthy', ours))?.action, 'health_status');
  assert.equal(runtimeEvent(line('remove', ours))?.action, 'destroy');
});

test('events of others and empty lines are passed over', () => {
  assert.equal(runtimeEvent(line('start', { name: 'x' })), null);
  assert.equal(runtimeEvent(''), null);
});
