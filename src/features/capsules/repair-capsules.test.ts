import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapsuleBench, templateOf } from '../../../test/bench/capsule-bench.ts';
import type { CapsuleKind } from '../../../test/contract/runtime-contract.ts';
import { repairCapsules } from './repair-capsules.ts';

async function running(restartPolicy: string, kind: CapsuleKind = 'joined') {
  const capsules = await CapsuleBench.open(kind);
  const { runtime, clock, services } = capsules.bench;
  const { uuid, containers } = await capsules.make(templateOf({ restartPolicy }));
  const [member = ''] = containers.map((container) => container.uuid);
  await clock.advance(5000);
  const startedAt = async () => (await runtime.inspect(member))?.state.startedAt;
  const repair = async () => {
    await repairCapsules(services, 'bench', await runtime.list());
    const { tasks } = await capsules.holdings();
    await capsules.work();
    return tasks;
  };
  return { capsules, runtime, clock, uuid, member, startedAt, repair };
}

test('a sandbox that was restarted alone gets its containers back', async () => {
  const { capsules, runtime, clock, uuid, startedAt, repair } = await running('Always');
  await runtime.restart(uuid, 0);
  assert.equal(await repair(), 1);
  assert.ok(Number(await startedAt()) >= Number((await runtime.inspect(uuid))?.state.startedAt));
  assert.equal((await capsules.show(uuid)).status, 'Running');
  await clock.advance(1000);
  assert.equal(await repair(), 0);
});

test('a sandbox that has ended is started, and its containers again', async () => {
  const { capsules, runtime, uuid, repair } = await running('OnFailure');
  await runtime.stop(uuid, 0);
  await capsules.reconcile(uuid);
  assert.equal((await capsules.show(uuid)).status, 'Error');
  assert.equal(await repair(), 1);
  const { status, status_reason } = await capsules.show(uuid);
  assert.deepEqual([status, status_reason], ['Running', null]);
});

test('what is not to be restarted, and what is in order, is left alone', async () => {
  const never = await running('Never');
  await never.runtime.restart(never.uuid, 0);
  assert.equal(await never.repair(), 0);
  const fine = await running('Always');
  assert.equal(await fine.repair(), 0);
  await fine.runtime.stop(fine.member, 0);
  assert.equal(await fine.repair(), 0);
});

test('a repair in vain says why, and is tried again by the next listing', async () => {
  const { capsules, runtime, uuid, repair } = await running('Always');
  await runtime.restart(uuid, 0);
  capsules.bench.faults = (call) => {
    if (call === 'restart') throw new Error('the test makes it fail');
  };
  assert.equal(await repair(), 1);
  assert.equal((await capsules.show(uuid)).status, 'Error');
  capsules.bench.faults = () => {};
  assert.equal(await repair(), 1);
  assert.equal((await capsules.show(uuid)).status, 'Running');
});

test('a capsule that is one object is its runtime’s to keep', async () => {
  const { runtime, uuid, repair } = await running('Always', 'as one');
  assert.equal(await repair(), 0);
  await runtime.stop(uuid, 0);
  assert.equal(await repair(), 0);
});
