import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkloadSpec } from '../../src/runtime/container-runtime.ts';
import { ContainerBench, refusalOf } from '../bench/container-bench.ts';

const body = { name: 'web', image: 'busybox', command: ['sleep', '1000'], cpu: 1, memory: '64' };

test('privileged is refused to everybody, the admin too, until a policy allows it', async () => {
  const bench = await ContainerBench.open();
  for (const as of ['demo', 'admin'] as const) {
    const answer = await bench.request('POST', '/v1/containers', { as, json: { ...body, privileged: true } });
    refusalOf(answer, 403, 'container.policy-not-authorized');
  }
});

test('a bind mount is a file of the request’s own bytes: a path of the host is never mounted', async () => {
  const bench = await ContainerBench.open();
  const created: WorkloadSpec[] = [];
  bench.faults = (call, [spec]) => {
    if (call === 'create') created.push(spec as WorkloadSpec);
  };
  const source = Buffer.from('/etc/shadow').toString('base64');
  await bench.container({ mounts: [{ type: 'bind', source, destination: '/file' }] });
  const [spec] = created;
  assert.deepEqual(
    spec?.mounts.map((mount) => [mount.kind, mount.kind === 'content' && mount.content.toString(), mount.destination]),
    [['content', '/etc/shadow', '/file']],
  );
  assert.equal(spec?.privileged, false);
});

test('no other project sees, or can act on, a container', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  assert.equal((await bench.request('GET', `/v1/containers/${uuid}`, { as: 'other' })).status, 404);
  assert.equal((await bench.on(uuid, 'POST', 'stop', { as: 'other' })).status, 404);
  assert.equal((await bench.request('DELETE', `/v1/containers/${uuid}`, { as: 'other' })).status, 404);
  const { json } = await bench.request('GET', '/v1/containers', { as: 'other' });
  assert.deepEqual((json as { containers: unknown[] }).containers, []);
});
