import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { podsOf, type Recording } from '../../../../test/kubernetes-golden/seen-of-recording.ts';
import { statusOf } from '../../../sync/container-status.ts';
import type { KubePod } from '../kube-object.ts';
import { heldPodWords } from './held-pod-words.ts';
import { podObservations } from './pod-observations.ts';

const file = path.join(import.meta.dirname, '../../../../test/kubernetes-golden/statuses/delete-held.runc.json');
const { pod: held, at } = podsOf(JSON.parse(readFileSync(file, 'utf8')) as Recording).at(-1) as { pod: KubePod; at: number };
const { namespace, name, finalizers } = held.metadata ?? {};
const words = `Pod ${namespace}/${name} was told to go and is still there: its finalizers ${finalizers?.join(', ')} were not cleared. Whoever set them has to; then delete again.`;
const later = at + 11_000;
const stateAt = (pod: KubePod, now: number) => podObservations(pod, now)[0]?.state;

test('a Pod that is held says whose finalizers hold it, or which node', () => {
  assert.ok((finalizers?.length ?? 0) > 0);
  assert.equal(heldPodWords(held), words);
  const bare = { metadata: { namespace: 'n', name: 'p' }, spec: { containers: [], nodeName: 'node1' } };
  assert.match(heldPodWords(bare), /^Pod n\/p was told to go and is still there: the kubelet of node1 has not ended it\. /);
});

test('a container whose Pod is held long after its end shows why, also after the delete that failed for it', () => {
  assert.deepEqual([stateAt(held, at)?.status, stateAt(held, at)?.error], ['removing', '']);
  const state = stateAt(held, later);
  assert.deepEqual([state?.status, state?.error], ['removing', words]);
  const failed = {
    status: 'Error',
    statusReason: words,
    statusDetail: null,
    startedAt: null,
    containerId: 'c',
    autoRemove: false,
  } as const;
  const { status, statusReason } = statusOf(failed, state ?? null, later);
  assert.deepEqual([status, statusReason], ['Stopped', words]);
});

test('what ended a Pod says more than what holds it, and a Pod that nobody told to go is not held', () => {
  const evicted = { ...held, status: { ...held.status, reason: 'Evicted', message: 'The node was low on resource: memory. ' } };
  assert.equal(stateAt(evicted, later)?.error, 'The node was low on resource: memory.');
  const { deletionTimestamp: _, ...metadata } = held.metadata ?? {};
  assert.equal(stateAt({ ...held, metadata }, later)?.error, '');
});
