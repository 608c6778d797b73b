import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reconcileContainer } from '../../src/features/containers/reconcile-container.ts';
import { assertSettled, holdings } from '../bench/leftovers.ts';
import { LocalBench } from '../bench/local-bench.ts';
import { shell } from '../contract/runtime/scripts.ts';
import { containerWith, everything, little } from './containers.ts';

/** Each is named after what surprised in the original, by its number in `contract/recordings` where it has one. */

const reconcile = (bench: LocalBench, uuid: string) => reconcileContainer(bench.core.services, uuid, new AbortController().signal);
const show = (bench: LocalBench, uuid: string) => bench.ask('GET', `/v1/containers/${uuid}`);
const rowOf = (bench: LocalBench, uuid: string) =>
  bench.database.queries.selectFrom('container').selectAll().where('uuid', '=', uuid).executeTakeFirst();

for (const [action, call, path] of [
  ['stop', 'runtime.stop', 'stop'],
  ['reboot', 'runtime.restart', 'reboot'],
  ['rebuild', 'runtime.remove', 'rebuild'],
  ['delete', 'runtime.remove', null],
] as const) {
  test(`recording surprises 1 and 2, reads during a ${action} ask the node, write what they find and wait: they change nothing, ask nobody and wait for nobody`, async () => {
    const bench = await LocalBench.open();
    const [busy, other] = [await containerWith(bench, little), await containerWith(bench, little)];
    await (path ? bench.ask('POST', `/v1/containers/${busy}/${path}`) : bench.ask('DELETE', `/v1/containers/${busy}?force=true`));
    let reached = () => {};
    const hangs = new Promise<void>((resolve) => {
      reached = resolve;
    });
    bench.watch = {
      before: (made) => {
        if (made !== call) return undefined;
        reached();
        return new Promise(() => {});
      },
    };
    void bench.runOne();
    await hangs;
    bench.abandon();
    const row = await rowOf(bench, busy);
    const asked: string[] = [];
    bench.watch = { before: (made) => void asked.push(made) };
    for (const uuid of [busy, other, busy]) await show(bench, uuid);
    await bench.ask('GET', '/v1/containers');
    await bench.ask('GET', `/v1/containers/${busy}/container_actions`);
    // The engine's events tell of the action itself; they change nothing either.
    await reconcile(bench, busy);
    assert.deepEqual(
      asked.filter((made) => !made.startsWith('database.')),
      [],
    );
    assert.deepEqual(await rowOf(bench, busy), row);
    assert.notEqual(row?.task_state, null);
    await bench.database.close();
  });
}

test('recording surprise 2, the node does one thing at a time: a stop that hangs holds up no other container', async () => {
  const bench = await LocalBench.open();
  const [hanging, other] = [await containerWith(bench, little), await containerWith(bench, little)];
  for (const uuid of [hanging, other]) await bench.ask('POST', `/v1/containers/${uuid}/stop?timeout=1`);
  let stops = 0;
  bench.watch = {
    before(call) {
      if (call !== 'runtime.stop') return undefined;
      stops += 1;
      return stops === 1 ? new Promise(() => {}) : undefined;
    },
  };
  const worker = bench.core.startWorker('bench');
  const statuses = async () => [(await show(bench, hanging)).status, (await show(bench, other)).status];
  for (let seconds = 0; seconds < 30 && !(await statuses()).includes('Stopped'); seconds += 1) await bench.pass(1_000);
  assert.deepEqual((await statuses()).toSorted(), ['Running', 'Stopped']);
  await bench.whileTimePasses(worker.stop(0));
});

test('a container that ends by itself becomes Stopped with its exit code', async () => {
  const bench = await LocalBench.open();
  const uuid = await containerWith(bench, { ...little, command: shell('exit 3') });
  await reconcile(bench, uuid);
  const { status, status_detail } = await show(bench, uuid);
  assert.equal(status, 'Stopped');
  assert.match(String(status_detail), /^Exited\(3\)/);
});

test('removed behind the back: the row says so, keeps its ports and volumes, and a delete leaves nothing', async () => {
  const bench = await LocalBench.open();
  const uuid = await containerWith(bench, everything);
  await bench.runtime.remove(uuid);
  await reconcile(bench, uuid);
  const { status, status_reason } = await show(bench, uuid);
  assert.equal(status, 'Error');
  assert.match(String(status_reason), /No such container/);
  assert.equal((await holdings(bench)).attachments.length, 2);
  await bench.ask('DELETE', `/v1/containers/${uuid}`);
  await bench.runTasks();
  for (const [kind, left] of Object.entries(await holdings(bench))) assert.deepEqual(left, [], kind);
});

test('recording surprise 9, auto_heal never heals: the container runs again, with its ports and volumes', async () => {
  const bench = await LocalBench.open();
  const uuid = await containerWith(bench, { ...everything, auto_heal: true });
  const { addresses } = await show(bench, uuid);
  await bench.runtime.remove(uuid);
  await reconcile(bench, uuid);
  await bench.runTasks();
  await assertSettled(bench);
  const row = await show(bench, uuid);
  assert.deepEqual([row.status, row.addresses], ['Running', addresses]);
  assert.equal((await bench.runtime.inspect(uuid))?.state.status, 'running');
});

test('recording surprise 8, auto_remove leaves the row for half a minute: it leaves no row, port, volume or claim', async () => {
  const bench = await LocalBench.open();
  const uuid = await containerWith(bench, { ...everything, command: shell('exit 0'), auto_remove: true });
  await reconcile(bench, uuid);
  await bench.runTasks();
  for (const [kind, left] of Object.entries(await holdings(bench))) assert.deepEqual(left, [], kind);
});

test('recording surprise 4, a bad image name stays Creating for ever: it is a 400 at once', async () => {
  const bench = await LocalBench.open();
  for (const image of ['BusyBox', 'busy box', ':latest', 'busybox:']) {
    const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'container 1.40' };
    const answer = await bench.core.server.inject({ method: 'POST', url: '/v1/containers', headers, payload: { image } });
    assert.equal(answer.statusCode, 400, `${image}: ${answer.body}`);
  }
  assert.deepEqual((await holdings(bench)).containers, []);
});
