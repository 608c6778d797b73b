import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { V1ContainerState, V1ContainerStatus } from '@kubernetes/client-node';
import { plainPodSettings as settings } from '../../../../test/kubernetes-fake/plain-settings.ts';
import { plainWorkload } from '../../plain-workload.ts';
import type { KubePod } from '../kube-object.ts';
import { podOfWorkload } from '../pod/pod-of-workload.ts';
import { containerState } from './container-state.ts';
import { exceededRetries } from './exceeded-retries.ts';

const ended = (exitCode: number): V1ContainerState => ({ terminated: { exitCode, startedAt: new Date(1000), finishedAt: new Date(2000) } });
const running: V1ContainerState = { running: { startedAt: new Date(1000) } };
const backOff: V1ContainerState = { waiting: { reason: 'CrashLoopBackOff' } };
const statusOf = (restartCount: number, state: V1ContainerState, lastState: V1ContainerState = {}): V1ContainerStatus => ({
  name: 'main',
  image: '',
  imageID: '',
  ready: false,
  restartCount,
  state,
  lastState,
});
const podOf = (maximumRetryCount: number, ...containerStatuses: V1ContainerStatus[]): KubePod => ({
  ...podOfWorkload(plainWorkload({ uuid: 'u', image: 'i', restartPolicy: { name: 'on-failure', maximumRetryCount } }), settings),
  status: { phase: 'Running', containerStatuses },
});
const failedTwice = statusOf(2, backOff, ended(3));

test('retries are used up when it has failed once more than it may run again, seen as ended or as about to run again', () => {
  assert.ok(exceededRetries(podOf(2, statusOf(2, ended(3), ended(3)))));
  assert.ok(exceededRetries(podOf(2, failedTwice)));
  assert.equal(containerState(podOf(2, failedTwice), 'main', 0).status, 'exited');
  assert.ok(!exceededRetries(podOf(2, statusOf(1, backOff, ended(3)))));
  assert.equal(containerState(podOf(3, failedTwice), 'main', 0).status, 'restarting');
});

test('the last run is let to its end, and a success is one', () => {
  assert.ok(!exceededRetries(podOf(2, statusOf(2, running, ended(3)))));
  assert.ok(!exceededRetries(podOf(2, statusOf(2, ended(0), ended(3)))));
});

test('there is no maximum of 0, as under Docker', () => {
  assert.ok(!exceededRetries(podOf(0, statusOf(100, backOff, ended(3)))));
});

test('what has ended or goes is left alone, and what has no container yet', () => {
  const pod = podOf(2, failedTwice);
  assert.ok(!exceededRetries({ ...pod, status: { ...pod.status, phase: 'Failed' } }));
  assert.ok(!exceededRetries({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: new Date() } }));
  assert.ok(!exceededRetries(podOf(2)));
});

test('a capsule goes on while one of its containers does', () => {
  assert.ok(!exceededRetries(podOf(2, failedTwice, statusOf(0, running))));
  assert.ok(!exceededRetries(podOf(2, failedTwice, statusOf(1, backOff, ended(3)))));
  assert.ok(exceededRetries(podOf(2, failedTwice, statusOf(0, ended(0)))));
});
