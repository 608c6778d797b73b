import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { plainCapsule, plainPodSettings } from '../../../../test/kubernetes-fake/plain-settings.ts';
import type { WorkloadMount, WorkloadSpec } from '../../container-runtime.ts';
import { plainWorkload } from '../../plain-workload.ts';
import { podOfCapsule } from './pod-of-capsule.ts';

const settings = { ...plainPodSettings, namespace: 'zun-5f0c', runtimeClasses: { gvisor: 'gvisor' } };
const member = (uuid: string, wishes: Partial<WorkloadSpec> = {}) => plainWorkload({ uuid, image: `${uuid}:1`, ...wishes });
const volume = (source: string, destination: string, readOnly = false): WorkloadMount => ({
  kind: 'volume',
  source,
  destination,
  readOnly,
});
const capsule = plainCapsule({
  uuid: 'c0ffee00-0000-4000-8000-000000000000',
  projectId: '5f0c',
  host: 'node1',
  hostname: 'web',
  labels: { app: 'shop' },
  restartPolicy: { name: 'always', maximumRetryCount: 0 },
  initContainers: [member('init', { command: ['migrate'], mounts: [volume('data', '/data')], healthcheck: null })],
  containers: [member('one')],
});

test('a capsule is one Pod: init containers in order, volumes that are shared once, members by the names of their containers', () => {
  const healthcheck = { command: 'true', intervalSeconds: null, timeoutSeconds: null, retries: null };
  const pod = podOfCapsule(
    {
      ...capsule,
      initContainers: [
        member('init-1', { mounts: [volume('data', '/data'), { kind: 'content', content: Buffer.from('x'), destination: '/a' }] }),
        // What Kubernetes refuses of an init container.
        member('init-2', { healthcheck }),
      ],
      containers: [
        member('one', { mounts: [volume('media', '/media'), volume('data', '/data', true)], healthcheck, cpu: 1 }),
        member('two', { runtime: 'gvisor', imagePull: { policy: 'always', credentials: { username: 'a', password: 'b' } } }),
      ],
    },
    settings,
  );
  const golden = path.join(import.meta.dirname, '../../../../test/kubernetes-golden/pods/capsule.yaml');
  assert.deepEqual(pod, parse(readFileSync(golden, 'utf8')));
});

test("restart policy and hostname are the capsule's, whatever its containers say", () => {
  const restartPolicy = { name: 'on-failure' as const, maximumRetryCount: 5 };
  const containers = [member('one', { restartPolicy: { name: 'no', maximumRetryCount: 0 }, autoRemove: true })];
  const { metadata, spec } = podOfCapsule({ ...capsule, restartPolicy, containers }, settings);
  assert.equal(spec?.restartPolicy, 'OnFailure');
  assert.equal(metadata?.annotations?.['zun.openstack.org/maximum-retry-count'], '5');
  assert.equal(metadata?.annotations?.['zun.openstack.org/auto-remove'], undefined);
  assert.throws(() => podOfCapsule({ ...capsule, hostname: 'a.b' }, settings), /'a\.b' for hostname/);
});

test('one Pod has one runtime', () => {
  const containers = [member('one', { runtime: 'gvisor' }), member('two', { runtime: 'runc' })];
  const message = "Invalid value 'gvisor', 'runc' for runtime: all containers of a capsule have the same.";
  assert.throws(() => podOfCapsule({ ...capsule, containers }, settings), { name: 'RuntimeFault', kind: 'invalid', message });
});
