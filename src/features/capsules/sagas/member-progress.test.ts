import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkloadState } from '../../../runtime/container-runtime.ts';
import { isFault } from '../../../runtime/runtime-fault.ts';
import { hasStarted, hasSucceeded } from './member-progress.ts';

const state = (change: Partial<WorkloadState>): WorkloadState => ({
  status: 'created',
  exitCode: 0,
  error: '',
  oomKilled: false,
  startedAt: change.status === undefined || change.status === 'created' ? null : 1,
  finishedAt: null,
  health: null,
  ...change,
});
const seen = (change: Partial<WorkloadState>, restartCount?: number) => ({
  state: state(change),
  ...(restartCount === undefined ? {} : { restartCount }),
});
const member = (name: string, count = '0') => ({ name: 'one', restartPolicy: { Name: name, MaximumRetryCount: count } });
const goesOn = seen({ status: 'running' });
const ended = seen({ status: 'exited' });
const failed = seen({ status: 'exited', exitCode: 3 });
const failure = 'Init container one ended with exit code 3.';

type Case = [what: string, member: ReturnType<typeof member>, seen: Parameters<typeof hasSucceeded>[1], capsule: typeof goesOn | null];

const init: [...Case, boolean | string][] = [
  ['waits for its turn', member('no'), seen({}), goesOn, false],
  ['runs', member('no'), seen({ status: 'running' }), goesOn, false],
  ['is on a node that does not answer', member('no'), seen({ status: 'unknown', error: 'lost' }), seen({ status: 'unknown' }), false],
  ['succeeded', member('no'), ended, goesOn, true],
  ['succeeded, and all has ended', member('no'), ended, ended, true],
  ['failed under no', member('no'), failed, goesOn, failure],
  ['failed, and the runtime tries again', member('on-failure', '2'), seen({ status: 'restarting', exitCode: 3 }, 1), goesOn, false],
  ['failed as often as it may', member('on-failure', '2'), seen({ status: 'restarting', exitCode: 3 }, 2), goesOn, failure],
  ['runs for the last time', member('on-failure', '2'), seen({ status: 'running' }, 2), goesOn, false],
  ['failed, of a runtime that does not count', member('on-failure', '2'), failed, goesOn, false],
  ['failed without a limit', member('on-failure', '0'), seen({ status: 'restarting', exitCode: 3 }, 99), goesOn, false],
  ['failed, and the capsule has ended', member('on-failure', '0'), failed, ended, failure],
  ['cannot be started', member('on-failure', '0'), seen({ error: 'no such image' }), goesOn, 'no such image'],
  ['was never run', member('no'), seen({}), ended, 'The capsule ended before its container one began.'],
  ['was never run, and it is said why', member('no'), seen({}), seen({ status: 'exited', error: 'evicted' }), 'evicted'],
  ['is gone', member('no'), null, null, 'Init container one is gone from its node.'],
];
for (const [what, own, now, capsule, outcome] of init) {
  test(`an init container that ${what}: ${outcome}`, () => holds(() => hasSucceeded(own, now, capsule), outcome));
}

const container: [...Case, boolean | string][] = [
  ['waits for its image', member('always'), seen({}), goesOn, false],
  ['runs', member('always'), seen({ status: 'running' }), goesOn, true],
  ['has run, whatever became of it', member('no'), failed, ended, true],
  ['cannot be started', member('always'), seen({ error: 'no such program' }), goesOn, 'no such program'],
  ['was never run', member('always'), seen({}), ended, 'The capsule ended before its container one began.'],
  ['is gone', member('always'), null, goesOn, 'Container one is gone from its node.'],
];
for (const [what, own, now, capsule, outcome] of container) {
  test(`a container that ${what}: ${outcome}`, () => holds(() => hasStarted(own, now, capsule), outcome));
}

function holds(rule: () => boolean, outcome: boolean | string): void {
  if (typeof outcome === 'boolean') assert.equal(rule(), outcome);
  else assert.throws(rule, (error) => isFault(error) && error.message === outcome);
}
