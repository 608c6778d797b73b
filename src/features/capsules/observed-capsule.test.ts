import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContainer } from '../../../test/databases/suite/sample-container.ts';
import type { WorkloadObservation, WorkloadState } from '../../runtime/container-runtime.ts';
import { type HostLoss, lossReason } from '../../sync/lost-host.ts';
import type { Container, ContainerStatus } from '../containers/container.ts';
import type { WholeCapsule } from './capsule.ts';
import { observedCapsule } from './observed-capsule.ts';
import { repairPlan } from './repair-plan.ts';

const now = Date.UTC(2026, 2, 1, 12);
const running: WorkloadState = {
  status: 'running',
  exitCode: 0,
  error: '',
  oomKilled: false,
  startedAt: now - 60_000,
  finishedAt: null,
  health: null,
};
const unknown: WorkloadState = { ...running, status: 'unknown', error: 'Node node-1 does not answer.' };

function row(uuid: string, status: ContainerStatus): Container {
  const container = sampleContainer({ uuid, name: uuid, host: 'node-1', status, taskState: null });
  return { ...container, id: 1, updatedAt: null, containerId: uuid, restartPolicy: { Name: 'always' }, startedAt: now - 60_000 };
}

function capsule(status: ContainerStatus, member: ContainerStatus): WholeCapsule {
  return {
    capsule: { ...row('sandbox', status), annotations: null },
    initContainers: [],
    containers: [row('one', member), row('two', member)],
  };
}

function observed(state: WorkloadState): Record<string, WorkloadObservation> {
  const observation = (uuid: string) => ({
    uuid,
    engineId: uuid,
    state,
    hostname: null,
    ports: [],
    addresses: {},
    image: '',
    runtime: null,
  });
  return Object.fromEntries(['sandbox', 'one', 'two'].map((uuid) => [uuid, observation(uuid)]));
}

function statusesOf(whole: WholeCapsule, observations: Record<string, WorkloadObservation>, loss: HostLoss | null = null) {
  const changes = observedCapsule(whole, observations, now, loss);
  return ['sandbox', 'one', 'two'].map((uuid) => [changes[uuid]?.status, changes[uuid]?.statusReason]);
}

test('a capsule whose node does not answer is Unknown with all that is in it, and why; its network is not repaired', () => {
  const whole = capsule('Running', 'Running');
  assert.deepEqual(statusesOf(whole, observed(unknown)), Array(3).fill(['Unknown', 'Node node-1 does not answer.']));
  assert.deepEqual(repairPlan(whole, observed(unknown)), []);
  const half = { ...observed(running), sandbox: { ...observed(unknown).sandbox } as WorkloadObservation };
  assert.deepEqual(repairPlan(whole, half), [], 'a sandbox that nobody can look at is no sandbox that has ended');
  assert.equal(statusesOf(whole, half)[0]?.[0], 'Unknown');
});

test('it says which host is lost where that is known, and is what it was when the node answers', () => {
  const loss: HostLoss = { host: 'node-1', kind: 'silent', lastSeen: now - 600_000 };
  const whole = capsule('Running', 'Running');
  assert.deepEqual(statusesOf(whole, observed(unknown), loss), Array(3).fill(['Unknown', lossReason(loss)]));
  assert.deepEqual(
    statusesOf(capsule('Unknown', 'Unknown'), observed(running), loss).map(([status]) => status),
    ['Running', 'Running', 'Running'],
    'a cluster that can tell is believed though the agent of the node is silent',
  );
});

test('one whose host was declared down is Unknown whatever is seen', () => {
  const loss: HostLoss = { host: 'node-1', kind: 'declared', lastSeen: now };
  for (const observations of [observed(running), observed(unknown), {}])
    assert.deepEqual(statusesOf(capsule('Running', 'Running'), observations, loss), Array(3).fill(['Unknown', lossReason(loss)]));
});

test('one in Error stays so while nobody can look', () => {
  const [own] = statusesOf(capsule('Error', 'Running'), observed(unknown));
  assert.ok(own?.[0] === undefined || own[0] === 'Error');
});
