import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';
import { RuntimeFault } from '../../../runtime/runtime-fault.ts';

const patch = (bench: ContainerBench, uuid: string, json: object) => bench.request('PATCH', `/v1/containers/${uuid}`, { json });

async function limited() {
  const bench = await ContainerBench.open();
  const calls: unknown[] = [];
  const uuid = await bench.container();
  bench.faults = (call, args) => {
    if (call === 'update') calls.push(args[1]);
  };
  return { bench, uuid, calls };
}

test('new limits reach the engine, the claim and the row, and the answer shows them', async () => {
  const { bench, uuid, calls } = await limited();
  const { status, json } = await patch(bench, uuid, { cpu: 2.5, memory: '128' });
  const { cpu, memory } = json as { cpu: number; memory: string };
  assert.deepEqual([status, cpu, memory], [200, 2.5, '128']);
  assert.deepEqual(calls, [{ cpu: 2.5, memoryMiB: 128 }]);
  assert.deepEqual(bench.scheduler.claims.get(uuid), { vcpu: 3, memoryMb: 128, diskGb: 0, host: 'bench' });
  const row = await bench.show(uuid);
  assert.deepEqual([row.cpu, row.memory, row.status], [2.5, '128', 'Running']);
});

test('a name changes the row alone', async () => {
  const { bench, uuid, calls } = await limited();
  const { status, json } = await patch(bench, uuid, { name: 'web2', auto_heal: 'true' });
  assert.deepEqual([status, (json as { name: string }).name], [200, 'web2']);
  assert.deepEqual([(await bench.show('web2')).auto_heal, calls], [true, []]);
});

test('nothing, or what is already so, writes nothing', async () => {
  const { bench, uuid, calls } = await limited();
  const before = await bench.show(uuid);
  for (const json of [{}, { name: 'web' }, { cpu: 1, memory: 64 }, { cpu: null, memory: null }]) {
    assert.equal((await patch(bench, uuid, json)).status, 200);
  }
  assert.deepEqual([await bench.show(uuid), calls], [before, []]);
});

test('a node without room refuses more limits with 409, and everything is as before', async () => {
  const { bench, uuid, calls } = await limited();
  bench.scheduler.vcpus = 2;
  assert.match(refusalOf(await patch(bench, uuid, { cpu: 16 }), 409, 'container.conflict'), /no room for 16 VCPU/);
  assert.deepEqual([(await bench.show(uuid)).cpu, bench.scheduler.claims.get(uuid)?.vcpu, calls], [1, 1, []]);
});

test('limits beyond the quota are a 403 before anything is touched', async () => {
  const { bench, uuid, calls } = await limited();
  bench.services.settings.quotaDefaults.cpu = 3;
  assert.match(refusalOf(await patch(bench, uuid, { cpu: 4 }), 403, 'container.over-quota'), /'cpu'/);
  assert.deepEqual([bench.scheduler.claims.get(uuid)?.vcpu, calls], [1, []]);
  assert.equal((await patch(bench, uuid, { cpu: 3 })).status, 200);
});

test('limits that the engine refuses are a 400 in its words, not a 500, and the claim goes back', async () => {
  const { bench, uuid } = await limited();
  assert.match(refusalOf(await patch(bench, uuid, { memory: '4', cpu: 8 }), 400, 'container.invalid'), /Minimum memory limit/);
  assert.deepEqual([(await bench.show(uuid)).memory, bench.scheduler.claims.get(uuid)?.vcpu], ['64', 1]);
});

test('an engine that is away is a 503, and the claim goes back', async () => {
  const { bench, uuid } = await limited();
  bench.faults = (call) => {
    if (call === 'update') throw new RuntimeFault('unreachable', 'connect ECONNREFUSED');
  };
  refusalOf(await patch(bench, uuid, { cpu: 2 }), 503, 'container.service-unavailable');
  assert.equal(bench.scheduler.claims.get(uuid)?.vcpu, 1);
});

test('a container in Error refuses', async () => {
  const { bench, uuid } = await limited();
  await bench.services.database.queries.updateTable('container').set({ status: 'Error' }).where('uuid', '=', uuid).execute();
  refusalOf(await patch(bench, uuid, { name: 'xx' }), 409, 'container.invalid-state-exception');
});
