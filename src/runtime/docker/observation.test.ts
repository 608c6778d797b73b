import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InspectedContainer, observation } from './observation.ts';

const label = { 'org.openstack.zun.container': 'u' };
const observed = (container: InspectedContainer) => {
  const seen = observation({ ...container, Config: { Labels: label, ...container.Config } });
  assert.ok(seen);
  return seen;
};

test('a container without our label is not ours', () => {
  assert.equal(observation({ Config: { Labels: { a: 'b' } } }), null);
  assert.equal(observation({ Config: { Labels: null } }), null);
});

test("an ended container's state is read, times in milliseconds", () => {
  const State = {
    Status: 'exited',
    ExitCode: 137,
    Error: '',
    OOMKilled: true,
    StartedAt: '2026-11-29T15:40:14.571113739Z',
    FinishedAt: '2026-11-29T15:40:15.041069253+00:00',
  };
  assert.deepEqual(observed({ State }).state, {
    status: 'exited',
    exitCode: 137,
    error: '',
    oomKilled: true,
    startedAt: Date.UTC(2026, 10, 29, 15, 40, 14, 571),
    finishedAt: Date.UTC(2026, 10, 29, 15, 40, 15, 41),
    health: null,
  });
});

test("the engines' zero time is null", () => {
  const { startedAt, finishedAt } = observed({ State: { StartedAt: '0001-01-01T00:00:00Z', FinishedAt: '' } }).state;
  assert.deepEqual([startedAt, finishedAt], [null, null]);
});

test("Podman's own status words are Docker's", () => {
  const status = (Status: string) => observed({ State: { Status } }).state.status;
  assert.deepEqual(['initialized', 'configured', 'stopping', 'stopped', 'paused'].map(status), [
    'created',
    'created',
    'running',
    'exited',
    'paused',
  ]);
});

test('health is starting until the engine has said something, and null without a check', () => {
  const health = (Status: string, Test: string[]) =>
    observed({ State: { Health: { Status } }, Config: { Labels: label, Healthcheck: { Test } } }).state.health;
  assert.equal(health('', []), null);
  assert.equal(health('none', ['NONE']), null);
  assert.equal(health('', ['CMD-SHELL', 'true']), 'starting');
  assert.equal(health('unhealthy', ['CMD-SHELL', 'true']), 'unhealthy');
});

test('ports are numbers, each once, wherever the engine tells them', () => {
  assert.deepEqual(observed({ Config: { Labels: label, ExposedPorts: { '80/tcp': {}, '53/udp': {}, '53/tcp': {} } } }).ports, [80, 53]);
  assert.deepEqual(observed({ NetworkSettings: { Ports: { '80/tcp': null } } }).ports, [80]);
});

test('addresses are by network, null as long as the engine has given none', () => {
  const Networks = {
    one: { IPAddress: '10.0.0.7', GlobalIPv6Address: '', MacAddress: '02:00:00:00:00:01' },
    two: { IPAddress: '' },
    none: {},
  };
  assert.deepEqual(observed({ NetworkSettings: { Networks } }).addresses, {
    one: { ipv4: '10.0.0.7', ipv6: null, mac: '02:00:00:00:00:01' },
    two: { ipv4: null, ipv6: null, mac: null },
  });
});
