import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuntimeFaultKind } from '../../runtime-fault.ts';
import { imageRefusal } from './image-refusal.ts';

// Besides what is recorded in `test/kubernetes-golden/statuses/` (image-*, reg-*): containerd 2, CRI-O, Docker Hub, other errors.
const hub =
  'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed';
const lookup = 'failed to do request: Head "https://r.example/v2/x/manifests/1": dial tcp: lookup r.example on 10.96.0.10:53: no such host';
const limited =
  'failed to copy: httpReadSeeker: failed open: unexpected status code https://r.example/v2/x/manifests/sha256:00: 429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit.';
const tls =
  'failed to do request: Head "https://r.example/v2/x/manifests/1": tls: failed to verify certificate: x509: certificate signed by unknown authority';
const anonymous =
  'failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://r.example/token: 401 Unauthorized';
const platform = 'no match for platform in manifest: not found';
const crio = 'reading manifest 1 in r.example/x: manifest unknown';

const texts: [message: string, kind: RuntimeFaultKind, words: string][] = [
  [
    `failed to pull and unpack image "docker.io/library/x:1": failed to resolve reference "docker.io/library/x:1": ${hub}`,
    'not-found',
    hub,
  ],
  [
    `rpc error: code = Unknown desc = failed to pull and unpack image "r.example/x:1": failed to resolve image: ${lookup}`,
    'unreachable',
    lookup,
  ],
  [`rpc error: code = Unknown desc = failed to pull and unpack image "r.example/x:1": ${limited}`, 'unreachable', limited],
  [`failed to pull and unpack image "r.example/x:1": failed to resolve reference "r.example/x:1": ${tls}`, 'unreachable', tls],
  [`failed to pull and unpack image "r.example/x:1": failed to resolve reference "r.example/x:1": ${anonymous}`, 'denied', anonymous],
  [`rpc error: code = NotFound desc = failed to pull and unpack image "r.example/x:1": ${platform}`, 'not-found', platform],
  [`Back-off pulling image "r.example/x:1": ErrImagePull: ${crio}`, 'not-found', crio],
  ['Back-off pulling image "r.example/x:1"', 'failed', 'Back-off pulling image "r.example/x:1"'],
  ['', 'failed', 'ImagePullBackOff'],
  ['rpc error: code = DeadlineExceeded desc = context deadline exceeded', 'unreachable', 'context deadline exceeded'],
  [
    'failed to pull image "r.example/x:1": write /var/lib/containerd/x: no space left on device',
    'failed',
    'write /var/lib/containerd/x: no space left on device',
  ],
];

for (const [message, kind, words] of texts) {
  test(`${kind}: ${message}`, () => {
    const definite = kind === 'not-found' || kind === 'denied';
    assert.deepEqual(imageRefusal({ reason: 'ImagePullBackOff', message }), { kind, words, definite });
  });
}

test('what a container waits for otherwise is no refusal', () => {
  for (const reason of ['ContainerCreating', 'PodInitializing', 'CrashLoopBackOff', 'RunContainerError'])
    assert.equal(imageRefusal({ reason }), null);
  assert.equal(imageRefusal({}), null);
});
