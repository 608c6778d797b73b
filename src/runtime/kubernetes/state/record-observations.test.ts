import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainCapsule, plainPodSettings } from '../../../../test/kubernetes-fake/plain-settings.ts';
import { plainWorkload } from '../../plain-workload.ts';
import type { KubePod, KubeSecret } from '../kube-object.ts';
import { podOfCapsule } from '../pod/pod-of-capsule.ts';
import { podOfWorkload } from '../pod/pod-of-workload.ts';
import { type RecordedSpec, workloadRecord } from '../pod/workload-record.ts';
import { lastEndOf } from './last-end.ts';
import { podObservations } from './pod-observations.ts';
import { recordObservations } from './record-observations.ts';

const settings = { ...plainPodSettings, runtimeClasses: { gvisor: 'gvisor' } };
const spec = plainWorkload({
  uuid: 'u',
  image: 'busybox:1',
  command: ['sh'],
  exposedPorts: ['80/tcp', '80/udp', '53/udp'],
  runtime: 'gvisor',
});
const container: RecordedSpec = { kind: 'container', spec };
const whole = plainCapsule({
  hostname: 'web',
  initContainers: [plainWorkload({ uuid: 'i', image: 'init:1' })],
  containers: [plainWorkload({ uuid: 'm', image: 'main:1', exposedPorts: ['80/tcp'] })],
});
const recordOf = (recorded: RecordedSpec, annotations: Record<string, string> = {}): KubeSecret => {
  const record = workloadRecord(recorded, 'zun');
  return { ...record, metadata: { ...record.metadata, uid: 'record-uid', annotations } };
};
const created = { status: 'created', exitCode: 0, error: '', oomKilled: false, startedAt: null, finishedAt: null, health: null };
const startError = { 'zun.openstack.org/start-error': 'r.example/x:1: not found' };
const ended = (name: string, exitCode: number) => ({
  name,
  image: '',
  imageID: '',
  ready: false,
  restartCount: 0,
  state: { terminated: { exitCode, startedAt: new Date(1000 * exitCode), finishedAt: new Date(5000 + exitCode) } },
});
const noted = (pod: KubePod) => ({ 'zun.openstack.org/last-end': JSON.stringify(lastEndOf(pod)) });

test('a workload that was never started is created, with what its specification says', () => {
  assert.deepEqual(recordObservations(recordOf(container), container), [
    {
      uuid: 'u',
      engineId: 'record-uid',
      state: created,
      hostname: 'zun-u',
      command: ['sh'],
      ports: [80, 53],
      addresses: {},
      image: 'busybox:1',
      runtime: 'gvisor',
    },
  ]);
});

test('a start that failed left its words', () => {
  const [observation] = recordObservations(recordOf(container, startError), container);
  assert.deepEqual(observation?.state, { ...created, error: 'r.example/x:1: not found' });
});

test('a Pod that is gone left its end, to which a later start that failed adds its words', () => {
  const status = {
    phase: 'Failed',
    reason: 'Evicted',
    message: 'The node was low on resource: memory.',
    containerStatuses: [ended('main', 3)],
  };
  const pod = { ...podOfWorkload(spec, settings), status };
  const end = { status: 'exited', exitCode: 3, oomKilled: false, startedAt: 3000, finishedAt: 5003, health: null };
  const stateWith = (annotations: Record<string, string>) => recordObservations(recordOf(container, annotations), container)[0]?.state;
  assert.deepEqual(stateWith(noted(pod)), { ...end, error: 'The node was low on resource: memory.' });
  assert.deepEqual(stateWith({ ...noted(pod), ...startError }), { ...end, error: 'r.example/x:1: not found' });
});

test('a Pod that never ran leaves no end', () => {
  const pod = { ...podOfWorkload(spec, settings), status: { phase: 'Failed', reason: 'OutOfcpu', message: 'no room' } };
  assert.deepEqual(recordObservations(recordOf(container, noted(pod)), container)[0]?.state, { ...created, error: 'no room' });
});

test('a capsule and its containers are told in the order of its Pod, each with its own end', () => {
  const recorded: RecordedSpec = { kind: 'capsule', spec: whole };
  const status = { phase: 'Failed', initContainerStatuses: [ended('zun-i', 0.5)], containerStatuses: [ended('zun-m', 4)] };
  const pod = { ...podOfCapsule(whole, settings), status };
  const observations = recordObservations(recordOf(recorded, noted(pod)), recorded);
  assert.deepEqual(
    observations.map(({ uuid, state, hostname, ports }) => [uuid, state, hostname, ports]),
    podObservations(pod, 0).map(({ uuid, state, hostname, ports }) => [uuid, state, hostname, ports]),
  );
  assert.deepEqual(
    recordObservations(recordOf(recorded), recorded).map(({ state }) => state),
    [created, created, created],
  );
});
