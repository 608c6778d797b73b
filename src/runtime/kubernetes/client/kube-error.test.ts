import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubeError } from './kube-error.ts';

const facts = ({ status, reason, message, retryAfterSeconds }: KubeError) => ({ status, reason, message, retryAfterSeconds });

test('a Status gives reason, words and when to come back', () => {
  const body = { kind: 'Status', code: 429, reason: 'TooManyRequests', message: 'slow down', details: { retryAfterSeconds: 7 } };
  const expected = { status: 429, reason: 'TooManyRequests', message: 'slow down', retryAfterSeconds: 7 };
  assert.deepEqual(facts(KubeError.ofAnswer(429, Buffer.from(JSON.stringify(body)))), expected);
  assert.deepEqual(facts(KubeError.ofStatus(body)), expected);
});

test('the header says when to come back before the Status does; a date in it is not understood', () => {
  const body = Buffer.from(JSON.stringify({ kind: 'Status', details: { retryAfterSeconds: 7 } }));
  assert.equal(KubeError.ofAnswer(503, body, '3').retryAfterSeconds, 3);
  assert.equal(KubeError.ofAnswer(503, Buffer.alloc(0), 'Wed, 21 Oct 2026 07:28:00 GMT').retryAfterSeconds, null);
});

test('a body that is no Status is told itself, shortened; an empty one by its status', () => {
  const told = (body: string) => facts(KubeError.ofAnswer(502, Buffer.from(body)));
  assert.deepEqual(told('<html>bad gateway</html>\n'), {
    status: 502,
    reason: '',
    message: '<html>bad gateway</html>',
    retryAfterSeconds: null,
  });
  assert.equal(told('x'.repeat(9_000)).message.length, 500);
  assert.equal(told('').message, 'The Kubernetes API server answered with status 502.');
  assert.equal(told('null').message, 'null');
  assert.equal(told('{"kind":"Pod"}').reason, '');
});
