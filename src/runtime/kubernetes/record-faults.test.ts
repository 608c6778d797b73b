import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { runtimeOnFake } from '../../../test/kubernetes-fake/runtime-on-fake.ts';
import { plainWorkload } from '../plain-workload.ts';

test('what has lost its record says which Secret that is, and what to do', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  const [path = ''] = bench.find('secrets', uuid) ?? [];
  const words = new RegExp(
    `^No such container: zun-${uuid}\\. The Secret zun-project/zun-${uuid}, its record, is not there: rebuild the container, or delete it\\.$`,
  );
  bench.cluster.remove(path);
  await assert.rejects(bench.runtime.start(uuid), { kind: 'not-found', message: words });
  assert.equal(await bench.runtime.inspect(uuid), null);
  await bench.runtime.remove(uuid);
});

test('a record that somebody removes while its Pod runs is missed by the next start', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  await bench.runtime.start(uuid);
  await bench.runtime.stop(uuid, 1);
  bench.cluster.remove(bench.find('secrets', uuid)?.[0] ?? '');
  assert.equal((await bench.runtime.inspect(uuid))?.state.status, 'exited');
  await assert.rejects(bench.runtime.start(uuid), { kind: 'not-found', message: /its record, is not there: rebuild/ });
});

test('a record that was told to go and is held is no record for what is made anew', async () => {
  await using bench = await runtimeOnFake();
  const spec = plainWorkload({ uuid: randomUUID(), image: 'busybox' });
  await bench.runtime.create(spec);
  const [path = '', record] = bench.find('secrets', spec.uuid) ?? [];
  const metadata = { ...record?.metadata, deletionTimestamp: new Date(), finalizers: ['example.com/held'] };
  bench.cluster.objects.set(path, { ...record, metadata });
  const message = `The Secret zun-project/zun-${spec.uuid} was told to go and is still there: its finalizers example.com/held were not cleared.`;
  await assert.rejects(bench.runtime.create(spec), { kind: 'unreachable', message });
});

test('a record that finalizers hold says who has to clear them when it is removed, and goes once they are', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  const [path = '', record] = bench.find('secrets', uuid) ?? [];
  bench.intercept = (asked) => {
    const isRemoval = asked.method === 'DELETE' && asked.path.endsWith('/secrets');
    if (isRemoval) asked.json(200, { items: [{ ...record, metadata: { ...record?.metadata, finalizers: ['example.com/held'] } }] });
    return isRemoval;
  };
  const message =
    `The Secret zun-project/zun-${uuid} was told to go and is still there: its finalizers example.com/held were not cleared.` +
    ' Whoever set them has to; then delete again.';
  await assert.rejects(bench.runtime.remove(uuid), { kind: 'unreachable', message });
  bench.intercept = () => false;
  await bench.runtime.remove(uuid);
  assert.equal(bench.cluster.objects.has(path), false);
});

test('a project whose namespace somebody has removed gets it again with its next container', async () => {
  await using bench = await runtimeOnFake();
  await bench.created();
  bench.cluster.remove('/api/v1/namespaces/zun-project');
  let refused = 0;
  bench.intercept = (asked) => {
    const isMissing = asked.method === 'POST' && asked.path.endsWith('/secrets') && refused++ === 0;
    if (isMissing) asked.refuse(404, 'NotFound', 'namespaces "zun-project" not found');
    return isMissing;
  };
  const asked = bench.fake.asked.length;
  const uuid = await bench.created();
  assert.ok(bench.find('secrets', uuid));
  assert.deepEqual(
    bench.fake.asked.slice(asked).map(({ method, path }) => `${method} ${path.split('/').at(-1)}`),
    ['POST secrets', 'POST namespaces', 'POST networkpolicies', 'POST secrets'],
  );
});
