import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { V1ContainerStateTerminated, V1ContainerStatus } from '@kubernetes/client-node';
import { containerEnd, isStartError } from './container-end.ts';

const end = { exitCode: 3, reason: 'Error', startedAt: new Date(1000), finishedAt: new Date(2000) };
const invented = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
};
const lost = { ...invented, message: 'The container could not be located when the pod was deleted.  The container used to be Running' };
const statusOf = (now?: V1ContainerStateTerminated, before?: V1ContainerStateTerminated): V1ContainerStatus => ({
  name: 'main',
  image: '',
  imageID: '',
  ready: false,
  restartCount: 0,
  state: now === undefined ? { waiting: {} } : { terminated: now },
  lastState: before === undefined ? {} : { terminated: before },
});

test('the end of now is the end, or else the one before', () => {
  assert.equal(containerEnd(statusOf(end, lost)), end);
  assert.equal(containerEnd(statusOf(undefined, end)), end);
  assert.equal(containerEnd(statusOf()), undefined);
});

test('an end that the kubelet made up gives way to a true one; alone it is none, unless the container ran', () => {
  assert.equal(containerEnd(statusOf(invented, end)), end);
  assert.equal(containerEnd(statusOf(invented)), undefined);
  assert.equal(containerEnd(statusOf(lost)), lost);
  assert.equal(containerEnd(statusOf(undefined, lost)), lost);
});

test('a process that never was has no time of its start', () => {
  assert.ok(isStartError({ exitCode: 128, startedAt: new Date(0) }));
  assert.ok(isStartError({ exitCode: 127, reason: 'ContainerCannotRun' }));
  assert.ok(!isStartError({ ...end, exitCode: 128 }));
  assert.ok(!isStartError(lost));
});
