import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench } from '../../../test/bench/container-bench.ts';
import type { Claim } from '../../scheduling/inventory.ts';
import { repairClaims } from './repair-claims.ts';

const interval = 60_000;

async function setUp(run = true) {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({}, { run });
  const stopping = new AbortController();
  const claimsOn = async (host: string): Promise<Claim[]> => {
    assert.equal(host, 'bench');
    return [...bench.scheduler.claims].map(([consumer, claim]) => ({ consumer, ...claim }));
  };
  const options = { host: 'bench', intervalMilliseconds: interval, signal: stopping.signal };
  const repairing = repairClaims(bench.services, { claimsOn }, options);
  /** Lets an interval pass, and what is done then. */
  const look = async () => {
    await bench.clock.advance(interval);
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const queued = async () => (await bench.services.database.queries.selectFrom('openkeel_task').select('kind').execute()).length;
  const stop = async () => {
    stopping.abort();
    await repairing;
  };
  return { bench, uuid, look, queued, stop };
}

test('a claim of no container is given back when it is seen for the second time, and no sooner', async () => {
  const { bench, uuid, look, stop } = await setUp();
  const own = bench.scheduler.claims.get(uuid);
  assert.ok(own);
  bench.scheduler.claims.set('nobody', own);
  await look();
  assert.ok(bench.scheduler.claims.has('nobody'));
  await look();
  assert.deepEqual([...bench.scheduler.claims.keys()], [uuid]);
  await stop();
});

test('a claim that is not what the row says becomes that, and the engine’s limits with it', async () => {
  const { bench, uuid, look, queued, stop } = await setUp();
  const own = bench.scheduler.claims.get(uuid);
  assert.ok(own);
  bench.scheduler.claims.set(uuid, { ...own, vcpu: 7, memoryMb: 512 });
  await bench.runtime.update(uuid, { memoryMiB: 512 });
  await look();
  assert.equal(await queued(), 0);
  await look();
  assert.equal(await queued(), 1);
  await bench.runTasks();
  const { vcpu, memoryMb } = bench.scheduler.claims.get(uuid) ?? {};
  assert.deepEqual([vcpu, memoryMb], [1, 64]);
  assert.equal((await bench.runtime.stats(uuid)).memoryLimitBytes, 64 * 1024 * 1024);
  assert.equal((await bench.show(uuid)).status_reason, null);
  await stop();
});

test('claims that are right, and those of a container whose task is at work, are left alone', async () => {
  const { bench, uuid, look, queued, stop } = await setUp(false);
  const before = new Map(bench.scheduler.claims);
  await look();
  await look();
  assert.deepEqual(bench.scheduler.claims, before);
  assert.equal(await queued(), 0);
  await bench.on(uuid, 'POST', 'start');
  const own = bench.scheduler.claims.get(uuid);
  assert.ok(own);
  bench.scheduler.claims.set(uuid, { ...own, vcpu: 7 });
  await look();
  await look();
  assert.equal(await queued(), 1);
  await stop();
});
