import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';

const resize = (bench: ContainerBench, uuid: string, json: object) => bench.on(uuid, 'POST', 'resize_container', { json });

test('a resize answers 202 with the container as it was, and then the limits are new everywhere', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const { status, json } = await resize(bench, uuid, { cpu: 2, memory: 1024 });
  assert.deepEqual([status, (json as { cpu: number }).cpu], [202, 1]);
  await bench.runTasks();
  const { cpu, memory } = await bench.show(uuid);
  assert.deepEqual([cpu, memory], [2, '1024']);
  assert.deepEqual(bench.scheduler.claims.get(uuid), { vcpu: 2, memoryMb: 1024, diskGb: 0, host: 'bench' });
});

test('a resize without room, or that the engine refuses, takes back what it did and shows why', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  for (const [json, reason] of [
    [{ cpu: 16 }, /no room for 16 VCPU/],
    [{ cpu: 2, memory: '4' }, /Minimum memory limit/],
  ] as const) {
    bench.scheduler.vcpus = 8;
    assert.equal((await resize(bench, uuid, json)).status, 202);
    await bench.runTasks();
    const { status, status_reason, cpu, memory } = await bench.show(uuid);
    assert.deepEqual([status, cpu, memory, bench.scheduler.claims.get(uuid)?.vcpu], ['Running', 1, '64', 1]);
    assert.match(String(status_reason), reason);
  }
});

test('nothing to change is accepted too', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  assert.equal((await resize(bench, uuid, {})).status, 202);
  await bench.runTasks();
  assert.equal((await bench.show(uuid)).status_reason, null);
});

test('limits beyond the quota are a 403 at once', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  bench.services.settings.quotaDefaults.memory = 100;
  refusalOf(await resize(bench, uuid, { memory: 128 }), 403, 'container.over-quota');
});
