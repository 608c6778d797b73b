import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkloadState } from '../../runtime/container-runtime.ts';
import type { ContainerStatus } from '../containers/container.ts';
import { capsuleStatus } from './capsule-status.ts';

const state = (status: WorkloadState['status'], error = ''): WorkloadState => ({
  status,
  error,
  exitCode: 0,
  oomKilled: false,
  startedAt: 0,
  finishedAt: null,
  health: null,
});
const containers = (...statuses: ContainerStatus[]) => statuses.map((status) => ({ name: 'one', status, statusReason: null }));

const lostNetwork = 'The sandbox that holds the network of the capsule does not run.';
const cases: [string, WorkloadState, ContainerStatus[], ContainerStatus, string | null][] = [
  ['runs while one of its containers does', state('running'), ['Stopped', 'Running'], 'Running', null],
  ['has stopped when all have', state('running'), ['Stopped', 'Dead'], 'Stopped', null],
  ['has stopped as a whole', state('exited'), ['Stopped', 'Stopped'], 'Stopped', null],
  ['has lost its sandbox', state('exited'), ['Stopped', 'Running'], 'Error', lostNetwork],
  ['has ended before a container ran', state('exited', 'The node was low on memory.'), ['Created'], 'Error', 'The node was low on memory.'],
  ['has a container in error', state('running'), ['Running', 'Error'], 'Error', 'Container one: it is in error.'],
];
for (const [what, sandbox, statuses, status, statusReason] of cases) {
  test(`a capsule that ${what} is ${status}`, () => {
    assert.deepEqual(capsuleStatus(sandbox, containers(...statuses)), { status, statusReason });
  });
}
