import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapsuleBench, templateOf } from '../../../test/bench/capsule-bench.ts';
import { differingCapsules } from './reconcile-capsule.ts';

const sh = (script: string) => ({ image: 'busybox', command: ['sh', '-c', script] });

async function running(spec: Record<string, unknown> = {}) {
  const capsules = await CapsuleBench.open();
  const capsule = await capsules.make(
    templateOf({ restartPolicy: 'Never', containers: [sh('sleep 5; exit 0'), sh('sleep 9; exit 3')], ...spec }),
  );
  assert.equal(capsule.status, 'Running');
  const [first = '', second = ''] = capsule.containers.map(({ uuid }) => uuid);
  const statuses = async () => {
    const { status, status_reason, containers } = await capsules.show(capsule.uuid);
    return [status, status_reason, ...containers.map((container) => container.status)];
  };
  const differing = async () => differingCapsules(capsules.bench.services, 'bench', await capsules.bench.runtime.list());
  return { capsules, uuid: capsule.uuid, first, second, statuses, differing };
}

test('a container that ends is seen through its own uuid; the capsule runs while another does, then has stopped', async () => {
  const { capsules, first, second, statuses } = await running();
  await capsules.bench.clock.advance(6000);
  assert.equal(await capsules.reconcile(first), 'settled');
  assert.deepEqual(await statuses(), ['Running', null, 'Stopped', 'Running']);
  await capsules.bench.clock.advance(6000);
  await capsules.reconcile(second);
  assert.deepEqual(await statuses(), ['Stopped', null, 'Stopped', 'Stopped']);
});

test('a listing names the capsules whose rows differ, and none once they are true', async () => {
  const { capsules, uuid, differing } = await running();
  assert.deepEqual(await differing(), []);
  await capsules.bench.clock.advance(6000);
  assert.deepEqual(await differing(), [uuid]);
  await capsules.reconcile(uuid);
  assert.deepEqual(await differing(), []);
});

test('what did not change is not written', async () => {
  const { capsules, uuid } = await running();
  const updated = async () => {
    const { updated_at, containers } = await capsules.show(uuid);
    return [updated_at, ...containers.map((container) => container.updated_at)];
  };
  const before = await updated();
  await capsules.bench.clock.advance(2000);
  await capsules.reconcile(uuid);
  assert.deepEqual(await updated(), before);
});

test('a container that is lost, and a sandbox that is: Error with what is missing', async () => {
  const { capsules, uuid, first, statuses } = await running();
  await capsules.bench.runtime.remove(first);
  await capsules.reconcile(first);
  const [status, reason, ...members] = await statuses();
  assert.deepEqual([status, ...members], ['Error', 'Error', 'Running']);
  assert.match(String(reason), /^Container capsule-cap-.*: No such container/);
  await capsules.bench.runtime.remove(uuid);
  await capsules.reconcile(uuid);
  assert.equal((await statuses())[0], 'Error');
});

test('a container whose sandbox has ended has no network any more: Error', async () => {
  const { capsules, uuid, statuses } = await running();
  await capsules.bench.runtime.stop(uuid, 0);
  await capsules.reconcile(uuid);
  assert.deepEqual((await statuses()).slice(0, 2), ['Error', 'The sandbox that holds the network of the capsule does not run.']);
});

test('rows whose task runs are the task’s, and a container of its own is not this feature’s', async () => {
  const { capsules, uuid, first, statuses } = await running();
  await capsules.bench.request('DELETE', `/v1/capsules/${uuid}`);
  await capsules.bench.runtime.remove(first);
  assert.equal(await capsules.reconcile(first), 'busy');
  assert.deepEqual(await statuses(), ['Running', null, 'Running', 'Running']);
  assert.equal(await capsules.reconcile('c0000000-0000-4000-8000-000000000001'), null);
});
