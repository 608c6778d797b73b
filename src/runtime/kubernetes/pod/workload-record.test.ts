import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainWorkload } from '../../plain-workload.ts';
import { memberLabel } from '../kube-object.ts';
import { recordedSpec, workloadRecord } from './workload-record.ts';

const spec = plainWorkload({
  uuid: '8e1b0b34-6f35-4c14-9a3a-0a6a3d0d5a6c',
  image: 'registry:5000/app:1',
  environment: { PASSWORD: 'in the record' },
  imagePull: { policy: 'always', credentials: { username: 'alice', password: 'not-in-the-record' } },
  mounts: [
    { kind: 'content', content: Buffer.from('nor-these-bytes'), destination: '/etc/app' },
    { kind: 'volume', source: 'claim', destination: '/data', readOnly: false },
  ],
});

test('a record gives back what is to run, without passwords of registries and bytes of mounts', () => {
  const record = workloadRecord({ kind: 'container', spec }, 'zun');
  const text = Buffer.from(record.data?.spec ?? '', 'base64').toString();
  assert.doesNotMatch(text, /not-in-the-record|alice|nor-these-bytes/);
  assert.deepEqual(recordedSpec(record), {
    kind: 'container',
    spec: {
      ...spec,
      imagePull: { policy: 'always', credentials: { username: '', password: '' } },
      mounts: [{ kind: 'content', content: Buffer.alloc(0), destination: '/etc/app' }, spec.mounts[1]],
    },
  });
});

test('the record of a capsule is found by each member', () => {
  const capsule = {
    uuid: '4b3c4e0a-0d77-4b8a-8a86-6f6a8f6c1d11',
    projectId: 'p',
    host: null,
    hostname: null,
    labels: {},
    restartPolicy: { name: 'always' as const, maximumRetryCount: 0 },
    networks: [],
    initContainers: [plainWorkload({ uuid: 'a', image: 'i' })],
    containers: [spec],
  };
  const record = workloadRecord({ kind: 'capsule', spec: capsule }, 'zun');
  for (const uuid of ['a', spec.uuid]) assert.equal(record.metadata?.labels?.[memberLabel(uuid)], '');
  const back = recordedSpec(record);
  assert.deepEqual(back.kind === 'capsule' && back.spec.containers.map(({ uuid }) => uuid), [spec.uuid]);
});
