import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { CapsuleBench, capsuleKinds, nothing, templateOf } from '../../../../test/bench/capsule-bench.ts';
import { ContainerBench } from '../../../../test/bench/container-bench.ts';
import { sagaPromises } from '../../../../test/bench/saga-promises.ts';
import type { CapsuleKind } from '../../../../test/contract/runtime-contract.ts';

/** Two containers that share an existing volume, one with a new one. */
const template = templateOf({
  containers: [
    {
      image: 'busybox',
      command: ['sleep', '1000'],
      volumeMounts: [
        { name: 'va', mountPath: '/a' },
        { name: 'vb', mountPath: '/b' },
      ],
    },
    { image: 'nginx', command: ['sleep', '1000'], volumeMounts: [{ name: 'va', mountPath: '/a', readOnly: true }] },
  ],
  volumes: [
    { name: 'va', cinder: { volumeID: 'e0000000-0000-4000-8000-000000000001' } },
    { name: 'vb', cinder: { size: 1 } },
  ],
});

async function ask(bench: ContainerBench): Promise<string> {
  const id = 'e0000000-0000-4000-8000-000000000001';
  bench.volumes.volumes.set(id, { id, name: 'data', sizeGiB: 1, status: 'available' });
  return (await new CapsuleBench(bench).ask(template)).uuid;
}

const statuses = async (bench: ContainerBench, uuid: string) => {
  const { status, containers } = await new CapsuleBench(bench).show(uuid);
  return [status, ...containers.map((container) => container.status)];
};

const steps: Record<CapsuleKind, { create: string[]; delete: string[] }> = {
  joined: {
    create: [
      'hold claims',
      'create volumes',
      'attach volumes',
      'pull images',
      'prepare ports',
      'start sandbox',
      'run init containers',
      'start containers',
      'observe',
    ],
    delete: ['stop containers', 'remove containers', 'remove sandbox', 'release ports', 'detach volumes', 'release allocation'],
  },
  'as one': {
    create: [
      'hold claims',
      'create volumes',
      'attach volumes',
      'prepare ports',
      'create capsule',
      'start capsule',
      'run init containers',
      'start containers',
      'observe',
    ],
    delete: ['stop capsule', 'remove capsule', 'release ports', 'detach volumes', 'release allocation'],
  },
};

for (const kind of capsuleKinds) describe(`capsules ${kind}`, () => promises(kind));

function promises(kind: CapsuleKind): void {
  const open = () => ContainerBench.open(undefined, undefined, kind);
  sagaPromises(
    {
      kind: 'capsule.create',
      open,
      ask,
      async succeeded(bench, uuid) {
        assert.deepEqual(await statuses(bench, uuid), ['Running', 'Running', 'Running']);
        const { workloads, ports, claims, attachments } = await new CapsuleBench(bench).holdings();
        assert.deepEqual({ workloads, ports, claims, attachments }, { workloads: 3, ports: 1, claims: 1, attachments: 2 });
        assert.deepEqual([...bench.volumes.attachments.values()], [uuid, uuid]);
      },
      // Nothing is left but the rows and the volume that was there before.
      async failed(bench, uuid) {
        assert.deepEqual(await statuses(bench, uuid), ['Error', 'Creating', 'Creating']);
        const { status_reason, addresses } = await new CapsuleBench(bench).show(uuid);
        assert.match(String(status_reason), /^Unexpected error/);
        assert.deepEqual(addresses, {});
        assert.deepEqual(await new CapsuleBench(bench).holdings(), { ...nothing, rows: 3 });
        assert.equal(bench.volumes.volumes.size, 1);
      },
    },
    steps[kind].create,
  );

  sagaPromises(
    {
      kind: 'capsule.delete',
      open,
      async ask(bench) {
        const capsules = new CapsuleBench(bench);
        const uuid = await ask(bench);
        await bench.runTasks();
        assert.equal((await capsules.show(uuid)).status, 'Running');
        bench.services.settings.stopGraceSeconds = 0;
        assert.equal((await bench.request('DELETE', `/v1/capsules/${uuid}`)).status, 204);
        return uuid;
      },
      async succeeded(bench, uuid) {
        assert.equal((await bench.request('GET', `/v1/capsules/${uuid}`)).status, 404);
        assert.deepEqual(await new CapsuleBench(bench).holdings(), nothing);
      },
      // The rows still know everything, so that the delete can be asked again.
      async failed(bench, uuid) {
        const capsules = new CapsuleBench(bench);
        const { status, status_reason } = await capsules.show(uuid);
        assert.equal(status, 'Error');
        assert.match(String(status_reason), /^Unexpected error/);
      },
    },
    steps[kind].delete,
  );
}
