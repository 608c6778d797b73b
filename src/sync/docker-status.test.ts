import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type DockerState, dockerStatus, type ZunStatus } from './docker-status.ts';
import { type DockerConfig, hostnameAndPorts } from './hostname-and-ports.ts';
import { statusAge } from './status-age.ts';

interface Vectors<In, Out> {
  count: number;
  now: string;
  cases: { in: In; out?: Out; error?: { message: string } }[];
}

function vectors<In, Out>(family: string): Vectors<In, Out> {
  const read: Vectors<In, Out> = JSON.parse(readFileSync(new URL(`../../contract/vectors/${family}.json`, import.meta.url), 'utf8'));
  assert.equal(read.cases.length, read.count);
  return read;
}

interface StateCase {
  state: DockerState | string | null;
  previous: ZunStatus;
  task_state: string | null;
  force: boolean;
}

test('every recorded Docker state maps to the original’s status, reason and detail', () => {
  const { now, cases } = vectors<StateCase, Record<string, unknown>>('docker_state_mapping');
  for (const { in: given, out } of cases) {
    const previous = { status: given.previous, statusReason: 'old reason', statusDetail: 'old detail' };
    const options = { taskState: given.task_state, force: given.force, now: Date.parse(`${now}Z`) };
    const { status, statusReason, statusDetail } = dockerStatus(given.state, previous, options);
    assert.deepEqual({ status, status_reason: statusReason, status_detail: statusDetail }, out, JSON.stringify(given));
  }
});

test('every recorded time has the original’s age', () => {
  const { now, cases } = vectors<string, string | null>('status_age');
  for (const { in: given, out } of cases) assert.equal(statusAge(given, Date.parse(`${now}Z`)), out, given);
});

test('every recorded config gives the original’s hostname and ports', () => {
  const { cases } = vectors<{ hostname: string | null; config: DockerConfig }, unknown>('hostname_and_ports');
  for (const { in: given, out, error } of cases) {
    const read = () => hostnameAndPorts(given.hostname, given.config);
    if (error) assert.throws(read, RangeError);
    else assert.deepEqual(read(), out, JSON.stringify(given));
  }
});
