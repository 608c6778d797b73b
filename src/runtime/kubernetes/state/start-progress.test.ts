import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { V1ContainerState, V1ContainerStatus, V1PodStatus } from '@kubernetes/client-node';
import type { KubePod } from '../kube-object.ts';
import { startProgress } from './start-progress.ts';

// What a real cluster says of starts is held against this rule in `test/kubernetes-golden/statuses.yaml`.

const at = Date.parse('2026-03-01T12:00:00Z');
const containerOf = (state: V1ContainerState, more: Partial<V1ContainerStatus> = {}): V1ContainerStatus => ({
  name: 'main',
  image: '',
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
  ...more,
});
const podOf = (status: V1PodStatus, spec: Partial<KubePod['spec'] & object> = {}): KubePod => ({
  metadata: { name: 'zun-u' },
  spec: { restartPolicy: 'Never', containers: [], ...spec },
  status,
});
const pending = (...states: V1ContainerState[]) =>
  podOf({ phase: 'Pending', startTime: new Date(at), containerStatuses: states.map((state) => containerOf(state)) });
const waiting = (reason: string, message?: string): V1ContainerState => ({
  waiting: message === undefined ? { reason } : { reason, message },
});
const running: V1ContainerState = { running: { startedAt: new Date(at) } };
const refusal =
  'failed to resolve reference "r.example/x:1": pulling from host r.example failed with status code [manifests 1]: 401 Unauthorized';

test('a login that a busy node pulled without is waited for; one that is still refused after a minute is refused', () => {
  const logsIn = { ...pending(waiting('ErrImagePull', refusal)) };
  logsIn.spec = { containers: [], imagePullSecrets: [{ name: 'zun-u-pull' }] };
  const definite = (seconds: number) => {
    const progress = startProgress(logsIn, at + seconds * 1000);
    assert.ok(progress.state === 'failed' && progress.kind === 'denied');
    return progress.definite;
  };
  assert.deepEqual([definite(0), definite(59), definite(60)], [false, false, true]);
});

test('a name that no registry can have is none with a login either', () => {
  const pod = pending(waiting('InvalidImageName', 'Failed to apply default image tag "X"'));
  pod.spec = { containers: [], imagePullSecrets: [{ name: 'zun-u-pull' }] };
  assert.deepEqual(startProgress(pod, at), {
    state: 'failed',
    kind: 'invalid',
    words: 'Failed to apply default image tag "X"',
    definite: true,
  });
});

test('what may come is waited for: configuration, a node that is busy with the name', () => {
  for (const [reason, message] of [
    ['CreateContainerConfigError', 'secret "zun-u-content" not found'],
    ['CreateContainerError', 'failed to reserve container name "main_zun-u": name is reserved for "abc"'],
  ] as const) {
    assert.deepEqual(startProgress(pending(waiting(reason, message)), at), {
      state: 'failed',
      kind: 'failed',
      words: message,
      definite: false,
    });
  }
});

test('an image without a command never starts', () => {
  const words = 'failed to generate container "abc" spec: failed to generate spec: no command specified';
  assert.deepEqual(startProgress(pending(waiting('CreateContainerError', words)), at), {
    state: 'failed',
    kind: 'failed',
    words,
    definite: true,
  });
});

test('a process that cannot be started is found out whatever the policy: before it is tried again, and after', () => {
  const message =
    'failed to create containerd task: OCI runtime create failed: runc create failed: unable to start container process: exec: "x": not found: unknown';
  const terminated = { exitCode: 128, reason: 'StartError', message, startedAt: new Date(0) };
  for (const status of [
    containerOf(waiting('RunContainerError', message)),
    containerOf(waiting('CrashLoopBackOff', 'back-off 10s'), { lastState: { terminated }, restartCount: 2 }),
    containerOf({ terminated }),
  ]) {
    const pod = podOf({ phase: 'Running', containerStatuses: [status] }, { restartPolicy: 'Always' });
    assert.deepEqual(startProgress(pod, at), { state: 'failed', kind: 'failed', words: 'exec: "x": not found', definite: true });
  }
});

test('what has run has started, though it cannot be started again', () => {
  const end = { exitCode: 1, reason: 'Error', startedAt: new Date(at - 1000), finishedAt: new Date(at) };
  const status = containerOf(waiting('ErrImagePull', refusal), { lastState: { terminated: end }, restartCount: 1 });
  assert.deepEqual(startProgress(podOf({ phase: 'Running', containerStatuses: [status] }, { restartPolicy: 'Always' }), at), {
    state: 'running',
  });
});

test('a capsule has started when its first container has, whatever becomes of the others; one that cannot be started first fails it', () => {
  const words = 'r.example/x:1: not found';
  const failing = waiting('ErrImagePull', words);
  assert.deepEqual(startProgress(pending(waiting('ContainerCreating'), running), at), { state: 'waiting' });
  assert.deepEqual(startProgress(pending(running, waiting('ContainerCreating')), at), { state: 'running' });
  assert.deepEqual(startProgress(pending(running, failing), at), { state: 'running' });
  assert.deepEqual(startProgress(pending(failing, running), at), { state: 'failed', kind: 'not-found', words, definite: true });
});

test('a capsule runs while an init container does; one that cannot be started fails it', () => {
  const withInit = (state: V1ContainerState) =>
    podOf({ phase: 'Pending', initContainerStatuses: [containerOf(state)], containerStatuses: [containerOf(waiting('PodInitializing'))] });
  assert.deepEqual(startProgress(withInit(running), at), { state: 'running' });
  const progress = startProgress(withInit(waiting('RunContainerError', 'exec: "x": not found')), at);
  assert.deepEqual(progress, { state: 'failed', kind: 'failed', words: 'exec: "x": not found', definite: true });
});

test("a Pod that nobody may schedule yet is waited for; one that nobody can is told with the scheduler's words", () => {
  const scheduled = (reason: string) =>
    podOf({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason, message: '0/1 nodes are available.' }] });
  assert.deepEqual(startProgress(scheduled('SchedulingGated'), at), { state: 'waiting' });
  const words = '0/1 nodes are available.';
  assert.deepEqual(startProgress(scheduled('Unschedulable'), at), { state: 'failed', kind: 'failed', words, definite: false });
});

test("a Pod that its node refused fails with the node's words", () => {
  const pod = podOf({ phase: 'Failed', reason: 'NodeShutdown', message: 'Pod was rejected: node is shutting down' });
  const words = 'Pod was rejected: node is shutting down';
  assert.deepEqual(startProgress(pod, at), { state: 'failed', kind: 'failed', words, definite: true });
});
