import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainCapsule, plainPodSettings as settings } from '../../../../test/kubernetes-fake/plain-settings.ts';
import type { WorkloadMount, WorkloadSpec } from '../../container-runtime.ts';
import { plainWorkload } from '../../plain-workload.ts';
import type { KubeSecret } from '../kube-object.ts';
import { ownedSecrets } from './owned-secrets.ts';
import { podOfCapsule } from './pod-of-capsule.ts';
import { podOfWorkload } from './pod-of-workload.ts';

const alice = { username: 'alice', password: 'wonder:land' };
const bob = { username: 'bob', password: 'builder' };
const pulled = (image: string, credentials: typeof alice | null): Partial<WorkloadSpec> => ({
  image,
  imagePull: { policy: 'always', credentials },
});
const file = (destination: string, text: string): WorkloadMount => ({ kind: 'content', content: Buffer.from(text), destination });
const workload = (wishes: Partial<WorkloadSpec>, uuid = 'u') => plainWorkload({ uuid, image: 'busybox', ...wishes });
const capsule = (...containers: WorkloadSpec[]) => plainCapsule({ containers });
const auths = (secret: KubeSecret | undefined): Record<string, { username: string; auth: string }> =>
  JSON.parse(Buffer.from(secret?.data?.['.dockerconfigjson'] ?? '', 'base64').toString()).auths;

test('a workload that logs in nowhere and mounts no content has no Secrets', () => {
  assert.deepEqual(ownedSecrets(workload(pulled('busybox', null)), settings), []);
});

test('the login is for the registry of the image, as Docker and the kubelet name it', () => {
  const registries = {
    busybox: 'https://index.docker.io/v1/',
    'team/app:1': 'https://index.docker.io/v1/',
    'docker.io/library/busybox': 'https://index.docker.io/v1/',
    'registry.example/app': 'registry.example',
    'registry:5000/team/app:1': 'registry:5000',
    'localhost/app@sha256:00': 'localhost',
  };
  for (const [image, registry] of Object.entries(registries)) {
    const [secret, ...others] = ownedSecrets(workload(pulled(image, alice)), settings);
    assert.deepEqual(others, []);
    assert.equal(secret?.type, 'kubernetes.io/dockerconfigjson');
    assert.deepEqual(auths(secret), { [registry]: { ...alice, auth: Buffer.from('alice:wonder:land').toString('base64') } });
  }
});

test('contents are the keys that the mounts of the Pod name, byte for byte', () => {
  const bytes = Buffer.from([0, 255, 10]);
  const mounts: WorkloadMount[] = [
    file('/a', 'first'),
    { kind: 'volume', source: 'v', destination: '/v', readOnly: false },
    { kind: 'content', content: bytes, destination: '/b' },
  ];
  const spec = workload({ mounts });
  const [secret] = ownedSecrets(spec, settings);
  const keys = podOfWorkload(spec, settings).spec?.containers[0]?.volumeMounts?.map(({ mountPath, subPath }) => [mountPath, subPath]);
  assert.deepEqual(keys, [
    ['/a', '0'],
    ['/v', undefined],
    ['/b', '1'],
  ]);
  assert.deepEqual(Buffer.from(secret?.data?.['0'] ?? '', 'base64').toString(), 'first');
  assert.deepEqual(Buffer.from(secret?.data?.['1'] ?? '', 'base64'), bytes);
});

test('Secrets bear the labels by which a workload is removed, and the names that its Pod has', () => {
  const member = (uuid: string) => workload({ ...pulled('registry.example/app', alice), mounts: [file('/a', uuid)] }, uuid);
  for (const [spec, pod] of [
    [member('u'), podOfWorkload(member('u'), settings)],
    [capsule(member('m'), member('n')), podOfCapsule(capsule(member('m'), member('n')), settings)],
  ] as const) {
    const secrets = ownedSecrets(spec, settings);
    for (const { metadata } of secrets) {
      assert.equal(metadata?.namespace, 'zun-p');
      assert.deepEqual(metadata?.labels, {
        'app.kubernetes.io/managed-by': 'zun',
        'app.kubernetes.io/instance': 'zun',
        'zun.openstack.org/workload': spec.uuid,
      });
    }
    const named = [
      ...(pod.spec?.imagePullSecrets ?? []).map(({ name }) => name),
      ...(pod.spec?.volumes ?? []).map(({ secret }) => secret?.secretName),
    ];
    assert.deepEqual(
      secrets.map(({ metadata }) => metadata?.name),
      named,
    );
  }
});

test('containers of a capsule that log in to a registry as different users do so for their repositories alone', () => {
  const [secret] = ownedSecrets(
    capsule(
      workload(pulled('registry:5000/a/app:1', alice), '1'),
      workload(pulled('registry:5000/b/app@sha256:00', bob), '2'),
      workload(pulled('busybox:1', alice), '3'),
      workload(pulled('docker.io/team/app', bob), '4'),
      workload(pulled('other.example/x', bob), '5'),
      workload(pulled('other.example/y', bob), '6'),
    ),
    settings,
  );
  const users = Object.entries(auths(secret)).map(([key, { username }]) => [key, username]);
  assert.deepEqual(users, [
    ['registry:5000/a/app', 'alice'],
    ['registry:5000/b/app', 'bob'],
    ['docker.io/library/busybox', 'alice'],
    ['docker.io/team/app', 'bob'],
    ['other.example', 'bob'],
  ]);
});

test('more bytes than a Secret holds are refused with field, value and rule', () => {
  const half = 'x'.repeat(512 * 1024);
  assert.equal(ownedSecrets(workload({ mounts: [file('/a', half), file('/b', half)] }), settings).length, 1);
  const message = 'Invalid value of 1048577 bytes for mounts: the files of a container are 1048576 bytes at most.';
  const tooMuch = workload({ mounts: [file('/a', half), file('/b', `${half}x`)] });
  assert.throws(() => ownedSecrets(tooMuch, settings), { name: 'RuntimeFault', kind: 'invalid', message });
});
