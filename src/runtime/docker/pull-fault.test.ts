import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuntimeFaultKind } from '../runtime-fault.ts';
import { pullFault } from './pull-fault.ts';

const sentences: [string, RuntimeFaultKind][] = [
  ['manifest for 127.0.0.1:5000/busybox:nosuch not found: manifest unknown: manifest unknown', 'not-found'],
  [
    'initializing source docker://127.0.0.1:5000/x:v1: reading manifest v1 in 127.0.0.1:5000/x: name unknown: repository name not known to registry',
    'not-found',
  ],
  ['Head "http://127.0.0.1:5000/v2/private/manifests/v1": no basic auth credentials', 'denied'],
  ['Head "http://127.0.0.1:5000/v2/private/manifests/v1": unauthorized: authentication required', 'denied'],
  [
    'initializing source docker://h/private:v1: unable to retrieve auth token: invalid username/password: authentication required',
    'denied',
  ],
  ['Get "http://127.0.0.1:9/v2/": dial tcp 127.0.0.1:9: connect: connection refused', 'unreachable'],
  ['Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host', 'unreachable'],
  ['invalid reference format', 'invalid'],
  ['write /var/lib/docker/tmp/x: no space left on device', 'failed'],
];

for (const [sentence, kind] of sentences) {
  test(`a failed pull is ${kind} with the words: ${sentence}`, () => {
    const fault = pullFault(sentence);
    assert.deepEqual([fault.kind, fault.message], [kind, sentence]);
  });
}
