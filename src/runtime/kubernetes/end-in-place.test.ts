import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../../test/bench/standing-clock.ts';
import { runtimeOnFake } from '../../../test/kubernetes-fake/runtime-on-fake.ts';
import { until } from '../../../test/system/engine/until.ts';
import { KubeClient } from './client/kube-client.ts';
import { endInPlaceFirst } from './end-in-place.ts';
import { WorkloadPods } from './workload-pods.ts';

/** A Pod that runs, whose kubelet has heard of its first generation and not of the second, which the end in place makes. */
async function setUp(status: { observedGeneration?: number } = { observedGeneration: 1 }) {
  const clock = new StandingClock();
  const bench = await runtimeOnFake(undefined, { clock });
  const client = new KubeClient(bench.fake.config(), undefined, clock);
  const uuid = await bench.created();
  await bench.runtime.start(uuid);
  bench.cluster.kubeletWorks = false;
  const [path = ''] = bench.find('pods', uuid) ?? [];
  bench.cluster.change(path, { metadata: { generation: 2 }, status });
  let watches = 0;
  bench.intercept = (asked) => {
    if (asked.query.get('watch') === 'true') watches += 1;
    return false;
  };
  const place = { uuid, namespace: 'zun-project', owner: uuid, name: `zun-${uuid}`, container: 'main' };
  let isOver = false;
  const ended = endInPlaceFirst({ pods: new WorkloadPods(client, clock) }, place).then(() => {
    isOver = true;
  });
  return {
    clock,
    ended,
    isOver: () => isOver,
    watches: () => watches,
    change: (patch: object) => bench.cluster.change(path, patch),
    watched: () => until('the Pod is watched', async () => (watches > 0 ? true : null)),
    async [Symbol.asyncDispose]() {
      await client.close();
      await bench[Symbol.asyncDispose]();
    },
  };
}

test('a Pod that ends before its containers do is one when its kubelet has heard of it', async () => {
  await using bench = await setUp();
  await bench.watched();
  bench.change({ metadata: { labels: { other: 'change' } } });
  assert.equal(bench.isOver(), false);
  bench.change({ status: { observedGeneration: 2 } });
  await bench.ended;
});

test('a kubelet that is away is waited for some seconds', async () => {
  await using bench = await setUp();
  await bench.watched();
  await bench.clock.advance(4_000);
  assert.equal(bench.isOver(), false);
  await bench.clock.advance(1_001);
  await bench.ended;
});

test('a kubelet that does not say what it has heard of is not waited for', async () => {
  await using bench = await setUp({});
  await bench.ended;
  assert.equal(bench.watches(), 0);
});
