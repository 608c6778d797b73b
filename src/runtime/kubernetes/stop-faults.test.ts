import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeOnFake } from '../../../test/kubernetes-fake/runtime-on-fake.ts';
import { until } from '../../../test/system/engine/until.ts';

test('a Pod that has run nothing, stuck on its volumes perhaps, is removed by a stop, and is what was only created', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  bench.cluster.kubeletWorks = false;
  const over = new AbortController();
  const started = bench.runtime.start(uuid, over.signal);
  await until('the Pod is there', async () => bench.find('pods', uuid));
  over.abort();
  await assert.rejects(started);
  bench.cluster.kubeletWorks = true;
  const calls: string[] = [];
  bench.intercept = (asked) => {
    if (asked.path.includes('/pods')) calls.push(asked.method);
    return false;
  };
  await bench.runtime.stop(uuid, 10);
  assert.deepEqual(calls, ['GET', 'DELETE']);
  assert.equal(bench.find('pods', uuid), null);
  const seen = await bench.runtime.inspect(uuid);
  assert.deepEqual([seen?.state.status, seen?.state.error], ['created', '']);
  assert.equal((await bench.runtime.start(uuid))?.state.status, 'running');
});

test('a stop of a Pod that somebody has told to go waits until its processes have ended', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  await bench.runtime.start(uuid);
  const [path = '', pod] = bench.find('pods', uuid) ?? [];
  bench.cluster.objects.set(path, {
    ...pod,
    metadata: { ...pod?.metadata, deletionTimestamp: new Date(), deletionGracePeriodSeconds: 30 },
  });
  let isStopped = false;
  let watches = 0;
  bench.intercept = (asked) => {
    if (asked.query.get('watch') === 'true') watches += 1;
    assert.notEqual(asked.method, 'PATCH');
    return false;
  };
  const stopped = bench.runtime.stop(uuid, 10).then(() => {
    isStopped = true;
  });
  await until('it is watched', async () => (watches > 0 ? true : null));
  assert.equal(isStopped, false);
  bench.cluster.remove(path);
  await stopped;
});
