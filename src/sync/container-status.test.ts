import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkloadState } from '../runtime/container-runtime.ts';
import { changesRow, OUT_OF_MEMORY, type PreviousStatus, statusOf } from './container-status.ts';
import { statusDetailNow } from './status-detail.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const started = Date.parse('2026-03-01T10:00:00.123Z');
const finished = Date.parse('2026-03-01T11:30:00.123Z');

const running: WorkloadState = {
  status: 'running',
  exitCode: 0,
  error: '',
  oomKilled: false,
  startedAt: started,
  finishedAt: null,
  health: null,
};
const exited: WorkloadState = { ...running, status: 'exited', exitCode: 137, finishedAt: finished };
const created: WorkloadState = { ...running, status: 'created', startedAt: null };

const row = (fields: Partial<PreviousStatus> = {}): PreviousStatus => ({
  status: 'Running',
  statusReason: null,
  statusDetail: null,
  startedAt: null,
  containerId: 'abc',
  autoRemove: false,
  ...fields,
});

/** Status, reason and the detail as users see it. */
function seen(previous: PreviousStatus, state: WorkloadState | null): [string, string | null, string | null] {
  const next = statusOf(previous, state, now);
  return [next.status, next.statusReason, statusDetailNow(next.statusDetail, now)];
}

const asUnderTheOriginal: [WorkloadState, string, string][] = [
  [running, 'Running', 'Up 2 hours'],
  [{ ...running, status: 'paused' }, 'Paused', 'Up 2 hours (paused)'],
  [{ ...running, status: 'restarting' }, 'Restarting', 'Restarting'],
  [exited, 'Stopped', 'Exited(137) 30 mins ago '],
  [{ ...exited, status: 'dead' }, 'Dead', 'Dead'],
  [{ ...exited, status: 'removing' }, 'Stopped', 'Exited(137) 30 mins ago '],
];
for (const [state, status, detail] of asUnderTheOriginal) {
  test(`${state.status} is shown as ${status}, ${detail}`, () => {
    assert.deepEqual(seen(row({ status: 'Creating' }), state), [status, null, detail]);
  });
}

for (const [health, detail] of [
  ['starting', 'Up 2 hours (health: starting)'],
  ['healthy', 'Up 2 hours (healthy)'],
  ['unhealthy', 'Up 2 hours (unhealthy)'],
] as const) {
  test(`recording surprise 10, health shown nowhere: ${health} is in the detail`, () => {
    const next = statusOf(row(), { ...running, health }, now);
    assert.equal(statusDetailNow(next.statusDetail, now), detail);
    assert.ok((next.statusDetail ?? '').length <= 50);
  });
}

test('recording surprise 10, no detail in the first second: it is 0 seconds', () => {
  assert.equal(seen(row(), { ...running, startedAt: now })[2], 'Up 0 seconds');
  assert.equal(seen(row(), { ...running, startedAt: now + 500 })[2], 'Up 0 seconds');
  assert.equal(seen(row(), { ...exited, exitCode: 0, finishedAt: now })[2], 'Exited(0) 0 seconds ago ');
});

test('recording surprise 1, a failed start turns into Created: it stays Error with its reason', () => {
  const failed = { ...created, exitCode: 127, error: 'exec: "nope": not found' };
  assert.deepEqual(seen(row({ status: 'Creating' }), failed), ['Error', 'exec: "nope": not found', null]);
  const told = row({ status: 'Error', statusReason: 'Docker internal error: exec: "nope": not found' });
  assert.deepEqual(seen(told, failed), ['Error', 'Docker internal error: exec: "nope": not found', null]);
});

test('recording surprise 1, an old reason outlives its status: it goes with it', () => {
  assert.deepEqual(seen(row({ status: 'Error', statusReason: 'broken' }), running), ['Running', null, 'Up 2 hours']);
  assert.equal(seen(row({ status: 'Stopped', statusReason: 'failed to configure network' }), exited)[1], 'failed to configure network');
});

test('an out-of-memory kill is the reason, until it ends otherwise', () => {
  assert.equal(seen(row(), { ...exited, oomKilled: true })[1], OUT_OF_MEMORY);
  assert.equal(seen(row({ status: 'Stopped', statusReason: OUT_OF_MEMORY }), exited)[1], null);
});

test('the engine’s words about a failed run are the reason', () => {
  assert.deepEqual(seen(row(), { ...exited, exitCode: 128, error: 'no network' }), [
    'Stopped',
    'no network',
    'Exited(128) 30 mins ago (error)',
  ]);
});

test('a workload that never ran is Created, whatever the row said of running', () => {
  for (const status of ['Creating', 'Created', 'Running', 'Stopped', 'Paused', 'Unknown', 'Dead'] as const) {
    assert.deepEqual(seen(row({ status }), created), ['Created', null, 'Created'], status);
  }
  for (const status of ['Error', 'Rebuilding', 'Restarting'] as const) {
    const previous = row({ status, statusReason: 'why', statusDetail: 'x' });
    assert.deepEqual(seen(previous, created), [status, 'why', 'x'], status);
  }
});

test('a lost workload makes an Error that says so, or Deleted when it was to remove itself', () => {
  assert.deepEqual(seen(row(), null), ['Error', 'No such container: abc in docker', null]);
  assert.deepEqual(seen(row({ autoRemove: true }), null), ['Deleted', null, null]);
});

test('a row without a workload stays when that is expected', () => {
  for (const previous of [
    row({ status: 'Creating', containerId: null }),
    row({ status: 'Error', statusReason: 'why' }),
    row({ status: 'Deleting' }),
    row({ status: 'Deleted' }),
  ]) {
    assert.equal(changesRow(previous, statusOf(previous, null, now)), false, previous.status);
  }
});

test('time that passes changes no row; health, a restart and an end do', () => {
  for (const state of [running, exited, { ...running, status: 'paused' as const }, created]) {
    const first = statusOf(row(), state, now);
    assert.equal(changesRow(first, statusOf({ ...row(), ...first }, state, now + 3_600_000)), false, state.status);
  }
  const first = statusOf(row(), running, now);
  for (const state of [exited, { ...running, health: 'healthy' as const }, { ...running, startedAt: started + 5_000 }]) {
    assert.equal(changesRow(first, statusOf({ ...row(), ...first }, state, now)), true);
  }
});

test('the start is kept to the second, and after the end', () => {
  assert.equal(statusOf(row(), running, now).startedAt, Date.parse('2026-03-01T10:00:00Z'));
  assert.equal(statusOf(row({ startedAt: 5_000 }), { ...exited, startedAt: null }, now).startedAt, 5_000);
});

test('the text ages as it is read, and texts the original wrote stay', () => {
  const { statusDetail } = statusOf(row(), running, now);
  assert.equal(statusDetail, 'Up since 2026-03-01T10:00:00Z');
  assert.equal(statusDetailNow(statusDetail, now + 23 * 3_600_000), 'Up 1 days');
  for (const text of ['Up 5 seconds', 'Exited(0) 3 seconds ago ', 'Created', '', null]) assert.equal(statusDetailNow(text, now), text);
});

test('a workload whose node is lost is Unknown with the reason, and again what it was when the node answers', () => {
  const lost: WorkloadState = { ...running, status: 'unknown', error: 'Node node1 does not answer.', startedAt: null };
  assert.deepEqual(seen(row(), lost), ['Unknown', 'Node node1 does not answer.', 'Was Running']);
  const again = row({ status: 'Unknown', statusReason: 'Node node1 does not answer.', statusDetail: 'Was Running' });
  assert.equal(changesRow(again, statusOf(again, lost, now)), false);
  const back = statusOf(row({ status: 'Unknown', statusReason: 'Node node1 does not answer.' }), running, now);
  assert.deepEqual([back.status, back.statusReason], ['Running', null]);
});

test('what was asked for, or has failed, stays so while nobody can look', () => {
  const lost: WorkloadState = { ...running, status: 'unknown', error: 'Node node1 does not answer.', startedAt: null };
  for (const status of ['Error', 'Creating', 'Deleting', 'Deleted', 'Rebuilding'] as const) {
    const previous = row({ status, statusReason: 'why' });
    assert.equal(changesRow(previous, statusOf(previous, lost, now)), false, status);
  }
});
