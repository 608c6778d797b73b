import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapsuleBench, capsuleKinds, templateOf } from '../../../test/bench/capsule-bench.ts';
import { LocalBench } from '../../../test/bench/local-bench.ts';
import type { CapsuleKind } from '../../../test/contract/runtime-contract.ts';
import { differingCapsules, reconcileCapsule } from './reconcile-capsule.ts';

const sh = (script: string) => ({ image: 'busybox', command: ['sh', '-c', script] });

async function running(kind: CapsuleKind) {
  const capsules = await CapsuleBench.open(kind);
  const capsule = await capsules.make(templateOf({ restartPolicy: 'Never', containers: [sh('sleep 5; exit 0'), sh('sleep 9; exit 3')] }));
  assert.equal(capsule.status, 'Running');
  const [first = '', second = ''] = capsule.containers.map(({ uuid }) => uuid);
  const statuses = async () => {
    const { status, status_reason, containers } = await capsules.show(capsule.uuid);
    return [status, status_reason, ...containers.map((container) => container.status)];
  };
  const differing = async () => differingCapsules(capsules.bench.services, 'bench', await capsules.bench.runtime.list());
  return { capsules, uuid: capsule.uuid, first, second, statuses, differing };
}

for (const kind of capsuleKinds) {
  test(`capsules ${kind}: a container that ends is seen through its own uuid; the capsule runs while another does, then has stopped`, async () => {
    const { capsules, first, second, statuses } = await running(kind);
    await capsules.bench.clock.advance(6000);
    assert.equal(await capsules.reconcile(first), 'settled');
    assert.deepEqual(await statuses(), ['Running', null, 'Stopped', 'Running']);
    await capsules.bench.clock.advance(6000);
    await capsules.reconcile(second);
    assert.deepEqual(await statuses(), ['Stopped', null, 'Stopped', 'Stopped']);
  });
}

for (const kind of capsuleKinds) {
  test(`capsules ${kind}: a listing names the capsules whose rows differ, and none once they are true`, async () => {
    const { capsules, uuid, differing } = await running(kind);
    assert.deepEqual(await differing(), []);
    await capsules.bench.clock.advance(6000);
    assert.deepEqual(await differing(), [uuid]);
    await capsules.reconcile(uuid);
    assert.deepEqual(await differing(), []);
  });
}

for (const kind of capsuleKinds) {
  test(`capsules ${kind}: what did not change is not written`, async () => {
    const { capsules, uuid } = await running(kind);
    const updated = async () => {
      const { updated_at, containers } = await capsules.show(uuid);
      return [updated_at, ...containers.map((container) => container.updated_at)];
    };
    const before = await updated();
    await capsules.bench.clock.advance(2000);
    await capsules.reconcile(uuid);
    assert.deepEqual(await updated(), before);
  });
}

test('a container that is lost, and a sandbox that is: Error with what is missing', async () => {
  const { capsules, uuid, first, statuses } = await running('joined');
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
  const { capsules, uuid, statuses } = await running('joined');
  await capsules.bench.runtime.stop(uuid, 0);
  await capsules.reconcile(uuid);
  assert.deepEqual((await statuses()).slice(0, 2), ['Error', 'The sandbox that holds the network of the capsule does not run.']);
});

test('a capsule that is one object has stopped when it was stopped, and is in Error when it is gone', async () => {
  const { capsules, uuid, statuses } = await running('as one');
  await capsules.bench.runtime.stop(uuid, 0);
  await capsules.reconcile(uuid);
  assert.deepEqual(await statuses(), ['Stopped', null, 'Stopped', 'Stopped']);
  await capsules.bench.runtime.remove(uuid);
  await capsules.reconcile(uuid);
  const [status, reason, ...members] = await statuses();
  assert.deepEqual([status, ...members], ['Error', 'Error', 'Error']);
  assert.match(String(reason), /^No such container: [0-9a-f]+/);
});

test('rows whose task runs are the task’s, and a container of its own is not this feature’s', async () => {
  const { capsules, uuid, first, statuses } = await running('joined');
  await capsules.bench.request('DELETE', `/v1/capsules/${uuid}`);
  await capsules.bench.runtime.remove(first);
  assert.equal(await capsules.reconcile(first), 'busy');
  assert.deepEqual(await statuses(), ['Running', null, 'Running', 'Running']);
  assert.equal(await capsules.reconcile('c0000000-0000-4000-8000-000000000001'), null);
});

test('a capsule whose create waits for something is the task’s: nothing is missed that is not there yet', async () => {
  const bench = await LocalBench.open();
  await bench.networking.createNetwork({ neutronNetId: 'zun' });
  const spec = { initContainers: [sh('exit 0')], containers: [sh('sleep 100')] };
  const template = { capsuleVersion: 'beta', kind: 'capsule', metadata: { name: 'web' }, spec };
  const { uuid } = await bench.ask('POST', '/v1/capsules', { template });
  const hangs = Promise.withResolvers<void>();
  let created = 0;
  bench.watch = {
    before(call) {
      if (call !== 'runtime.create') return undefined;
      created += 1;
      if (created < 2) return undefined;
      hangs.resolve();
      return new Promise(() => {});
    },
  };
  void bench.runOne();
  await hangs.promise;
  bench.abandon();
  bench.watch = {};
  const rows = () => bench.database.queries.selectFrom('container').select(['uuid', 'status', 'status_reason']).execute();
  const before = await rows();
  assert.deepEqual(
    before.map(({ status }) => status),
    ['Created', 'Creating', 'Creating'],
  );
  assert.equal(await reconcileCapsule(bench.core.services, String(uuid), new AbortController().signal), 'busy');
  assert.deepEqual(await rows(), before);
});
