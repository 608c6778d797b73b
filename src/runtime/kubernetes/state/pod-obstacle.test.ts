import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoreV1Event } from '@kubernetes/client-node';
import { podObstacle } from './pod-obstacle.ts';

const event = (reason: string, message: string, seconds: number, when: Partial<CoreV1Event> = {}): CoreV1Event => ({
  involvedObject: {},
  metadata: { creationTimestamp: new Date(seconds * 1000) },
  reason,
  message,
  ...when,
});
const mount = 'MountVolume.SetUp failed for volume "content-u" : secret "zun-u-content" not found';

// Texts of Kubernetes 1.34.4 with containerd 1.6.20.
test('what stands in the way of a Pod that only waits is told by its events, without the names of layers', () => {
  assert.equal(podObstacle([event('Scheduled', 'assigned', 2), event('FailedMount', mount, 1)]), mount);
  const sandbox =
    'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: runsc did not terminate successfully: exit status 137: unknown';
  assert.equal(podObstacle([event('FailedCreatePodSandBox', sandbox, 1)]), 'runsc did not terminate successfully: exit status 137');
});

test('the newest counts, and a repeated event is as new as its last time', () => {
  const later = { lastTimestamp: new Date(9000) };
  assert.equal(podObstacle([event('FailedMount', 'old', 1), event('FailedMount', 'new', 2)]), 'new');
  assert.equal(podObstacle([event('FailedMount', 'repeated', 1, later), event('FailedMount', 'once', 2)]), 'repeated');
});

test('events that say nothing of the kind are no obstacle', () => {
  assert.equal(podObstacle([]), null);
  assert.equal(podObstacle([event('Pulling', 'Pulling image "x"', 1), event('Unhealthy', 'Readiness probe failed', 2)]), null);
});
