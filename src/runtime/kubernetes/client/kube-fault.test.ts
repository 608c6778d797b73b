import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeFault, type RuntimeFaultKind } from '../../runtime-fault.ts';
import { KubeError } from './kube-error.ts';
import { kubeFault } from './kube-fault.ts';

const refusal = (status: number, message = 'words') => new KubeError({ status, reason: '', message, retryAfterSeconds: null });

const kinds: [number, RuntimeFaultKind][] = [
  [400, 'invalid'],
  [401, 'unreachable'],
  [403, 'failed'],
  [404, 'not-found'],
  [405, 'failed'],
  [409, 'conflict'],
  [410, 'failed'],
  [413, 'invalid'],
  [415, 'failed'],
  [422, 'invalid'],
  [429, 'unreachable'],
  [500, 'unreachable'],
  [502, 'unreachable'],
  [503, 'unreachable'],
  [504, 'unreachable'],
];

for (const [status, kind] of kinds)
  test(`a refusal with status ${status} is the fault ${kind}`, () => {
    const error = refusal(status);
    const fault = kubeFault(error);
    assert.equal(fault.kind, kind);
    assert.match(fault.message, /words$/);
    assert.equal(fault.cause, error);
  });

test('a right that is missing is told with the words of the server, which name it; another 403 is not called a lack of rights', () => {
  const words = 'pods is forbidden: User "zun" cannot list resource "pods" in API group "" in the namespace "n"';
  assert.equal(kubeFault(refusal(403, words)).message, `This service lacks a right in Kubernetes (RBAC): ${words}`);
  const quota = 'pods "p" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1';
  assert.equal(kubeFault(refusal(403, quota)).message, quota);
});

test('credentials that are not accepted are told as such', () => {
  assert.equal(kubeFault(refusal(401, 'Unauthorized')).message, "Kubernetes does not accept this service's credentials: Unauthorized");
});

test('a fault stays what it is, and so does one that the signal was aborted with', () => {
  const fault = new RuntimeFault('conflict', 'x');
  assert.equal(kubeFault(fault), fault);
  assert.equal(kubeFault(new Error('aborted'), AbortSignal.abort(fault)), fault);
});

test('a namespace that is going makes what cannot be had now, as it will be made again', () => {
  const words = 'secrets "s" is forbidden: unable to create new content in namespace zun-p because it is being terminated';
  const { kind, message } = kubeFault(refusal(403, words));
  assert.deepEqual([kind, message], ['unreachable', words]);
});

test('the deadline of the caller is a timeout; a server that is silent, refuses connections or breaks them is unreachable', () => {
  assert.equal(kubeFault(new Error('aborted'), AbortSignal.abort()).kind, 'timeout');
  for (const code of ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']) {
    const fault = kubeFault(Object.assign(new Error('slow'), { code }));
    assert.deepEqual([fault.kind, fault.message], ['unreachable', 'The Kubernetes API server did not answer in time.']);
  }
  const refused = kubeFault(Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:6443'), { code: 'ECONNREFUSED' }));
  assert.equal(refused.kind, 'unreachable');
  assert.equal(refused.message, 'The Kubernetes API server cannot be reached: connect ECONNREFUSED 10.0.0.1:6443');
  assert.equal(kubeFault('text').kind, 'unreachable');
});
