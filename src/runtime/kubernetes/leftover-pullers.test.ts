import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeOnFake } from '../../../test/kubernetes-fake/runtime-on-fake.ts';
import { systemClock } from '../../telemetry/clock.ts';

const own = { 'app.kubernetes.io/instance': 'zun', 'zun.openstack.org/kind': 'puller' };
/** Where they are, as the first pull has made it. */
const home = {
  metadata: { name: 'zun-images', labels: { 'app.kubernetes.io/managed-by': 'zun', 'app.kubernetes.io/instance': 'zun' } },
};
/** The pull deadline of the bench, and two minutes. */
const patience = 180_000;

test('what a worker that died has left of a pull goes with a listing, login and all; a pull that is under way stays', async () => {
  await using bench = await runtimeOnFake();
  bench.cluster.objects.set('/api/v1/namespaces/zun-images', home);
  const workload = await bench.created();
  await bench.runtime.start(workload);
  const put = (kind: string, name: string, age: number, labels: Record<string, string>) => {
    const path = `/api/v1/namespaces/zun-images/${kind}/${name}`;
    const creationTimestamp = new Date(systemClock.now() - age);
    bench.cluster.objects.set(path, { metadata: { namespace: 'zun-images', name, labels, creationTimestamp } });
    return path;
  };
  const old = ['pods', 'secrets'].map((kind) => put(kind, 'pull-old', patience + 10_000, own));
  const young = ['pods', 'secrets'].map((kind) => put(kind, 'pull-young', patience - 10_000, own));
  const others = put('pods', 'pull-others', patience + 10_000, { ...own, 'app.kubernetes.io/instance': 'another' });
  const seen = await bench.runtime.list();
  assert.deepEqual(
    seen.map(({ uuid, state }) => [uuid, state.status]),
    [[workload, 'running']],
  );
  const paths = [...bench.cluster.objects.keys()];
  for (const path of old) assert.ok(!paths.includes(path), path);
  for (const path of [...young, others]) assert.ok(paths.includes(path), path);
});

test('leftovers that cannot be removed keep nobody from the listing', async () => {
  await using bench = await runtimeOnFake();
  const metadata = {
    namespace: 'zun-images',
    name: 'pull-1',
    labels: own,
    creationTimestamp: new Date(systemClock.now() - patience - 10_000),
  };
  bench.cluster.objects.set('/api/v1/namespaces/zun-images/pods/pull-1', { metadata });
  const uuid = await bench.created();
  bench.intercept = (asked) => {
    if (asked.method === 'DELETE') asked.refuse(403, 'Forbidden', 'no');
    return asked.method === 'DELETE';
  };
  assert.deepEqual(
    (await bench.runtime.list()).map((observation) => observation.uuid),
    [uuid],
  );
});
