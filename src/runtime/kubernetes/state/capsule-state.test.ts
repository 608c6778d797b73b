import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainCapsule, plainPodSettings } from '../../../../test/kubernetes-fake/plain-settings.ts';
import { plainWorkload } from '../../plain-workload.ts';
import type { KubePod } from '../kube-object.ts';
import { podOfCapsule } from '../pod/pod-of-capsule.ts';
import { podObservations } from './pod-observations.ts';

const at = Date.parse('2026-03-01T12:00:00Z');
const member = (uuid: string, port: string) => plainWorkload({ uuid, image: `${uuid}:1`, exposedPorts: [port] });
const capsule = podOfCapsule(
  plainCapsule({
    host: 'node1',
    restartPolicy: { name: 'always', maximumRetryCount: 0 },
    initContainers: [member('i', '1/tcp')],
    containers: [member('m', '2/tcp')],
  }),
  plainPodSettings,
);
const stateOf = (name: string, state: object) => ({ name, image: '', imageID: '', ready: false, restartCount: 0, state });
const ended = (exitCode: number, ago: number) => ({
  terminated: { exitCode, startedAt: new Date(at - ago), finishedAt: new Date(at - ago + 1000) },
});
const running = (ago: number) => ({ running: { startedAt: new Date(at - ago) } });
const podOf = (status: KubePod['status'] & object, metadata: KubePod['metadata'] = {}): KubePod => ({
  metadata: { ...capsule.metadata, ...metadata },
  spec: { containers: [], ...capsule.spec, nodeName: 'node1' },
  status,
});
const statesOf = (...args: Parameters<typeof podOf>) => podObservations(podOf(...args), at).map(({ state }) => state);

test('a capsule is told first, then its containers, which have no addresses of their own', () => {
  const observations = podObservations(podOf({ phase: 'Running', podIPs: [{ ip: '10.88.0.7' }] }), at);
  assert.deepEqual(
    observations.map(({ uuid, image, ports, addresses }) => ({ uuid, image, ports, addresses: Object.keys(addresses) })),
    [
      { uuid: 'c', image: '', ports: [1, 2], addresses: ['cluster'] },
      { uuid: 'i', image: 'i:1', ports: [1], addresses: [] },
      { uuid: 'm', image: 'm:1', ports: [2], addresses: [] },
    ],
  );
});

test('a capsule runs since its first container did; an init container that succeeded is not run again', () => {
  const initContainerStatuses = [stateOf('zun-i', ended(0, 9000))];
  const [whole, init, main] = statesOf({ phase: 'Running', initContainerStatuses, containerStatuses: [stateOf('zun-m', running(3000))] });
  assert.deepEqual([whole?.status, init?.status, main?.status], ['running', 'exited', 'running']);
  assert.equal(whole?.startedAt, at - 9000);
});

test("a capsule that could not start says why: its containers' words, or those of who refused the Pod", () => {
  const containerStatuses = [stateOf('zun-m', { waiting: { reason: 'ErrImagePull', message: 'm:1: not found' } })];
  const [unpulled] = statesOf({ phase: 'Pending', containerStatuses });
  assert.deepEqual([unpulled?.status, unpulled?.error], ['created', 'm:1: not found']);
  const [refused] = statesOf({ phase: 'Failed', reason: 'OutOfcpu', message: 'no room', containerStatuses });
  assert.deepEqual([refused?.status, refused?.error], ['created', 'no room']);
});

test('a capsule of a lost node is unknown with its containers, except what had ended', () => {
  const conditions = [
    { type: 'Ready', status: 'False' },
    { type: 'ContainersReady', status: 'True' },
  ];
  const initContainerStatuses = [stateOf('zun-i', ended(0, 9000))];
  const states = statesOf({ phase: 'Running', conditions, initContainerStatuses, containerStatuses: [stateOf('zun-m', running(3000))] });
  assert.deepEqual(
    states.map(({ status }) => status),
    ['unknown', 'exited', 'unknown'],
  );
  assert.equal(states[0]?.error, 'Node node1 does not answer.');
});

test('a capsule that goes is going when nothing of it runs any more, started or not', () => {
  const going = { deletionTimestamp: new Date(at + 5000) };
  const initContainerStatuses = [stateOf('zun-i', ended(4, 9000))];
  const seenWith = (state: object) =>
    statesOf({ phase: 'Pending', initContainerStatuses, containerStatuses: [stateOf('zun-m', state)] }, going);
  assert.deepEqual(
    seenWith({ waiting: {} }).map(({ status, exitCode }) => `${status} ${exitCode}`),
    ['removing 4', 'removing 4', 'created 0'],
  );
  assert.equal(seenWith(running(0))[0]?.status, 'running');
});
