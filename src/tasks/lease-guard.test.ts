import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { memoryDatabase } from '../../test/bench/task-bench.ts';
import { randomIds } from '../telemetry/ids.ts';
import { HeldLease } from './held-lease.ts';
import { LeaseGuard } from './lease-guard.ts';
import { LeaseLost, leaseMilliseconds, TaskStore } from './task-store.ts';

/** A task in the hands of a worker, and a port that notes what is asked of it. */
async function setUp() {
  const clock = new StandingClock();
  const database = await memoryDatabase();
  const store = new TaskStore(database, clock, randomIds);
  await store.enqueue(database.queries, {
    kind: 'test',
    subject: 'a',
    projectId: 'p',
    requestId: null,
    actionId: null,
    payload: {},
    deadline: clock.now() + 600_000,
  });
  const claimedAt = clock.monotonic();
  const task = await store.claim('w');
  assert.ok(task);
  const guard = new LeaseGuard();
  const calls: string[] = [];
  const note = (name: string) => async (uuid: string) => {
    calls.push(`${name} ${uuid}`);
  };
  const port = guard.around({ name: 'engine', start: note('start'), capsules: { create: note('create') } }, ['capsules']);
  const lease = new HeldLease(store, clock, task, claimedAt);
  return { clock, store, calls, port, held: <T>(work: () => T) => guard.run(lease, work) };
}

test('within the lease a call is made at once, and a member that is no call is what it is', async () => {
  const { clock, calls, port, held } = await setUp();
  await clock.advance(leaseMilliseconds - 1);
  void held(() => port.start('a'));
  assert.deepEqual([calls, port.name], [['start a'], 'engine']);
});

test('after the lease the database is asked first; who still has the task goes on, for a whole lease', async () => {
  const { clock, store, calls, port, held } = await setUp();
  await clock.advance(leaseMilliseconds);
  await held(() => port.start('a'));
  assert.deepEqual(calls, ['start a']);
  await clock.advance(leaseMilliseconds - 1);
  assert.equal(await store.claim('other'), null);
  void held(() => port.start('b'));
  assert.deepEqual(calls, ['start a', 'start b']);
});

test('after another worker has claimed the task no call is made for it, on no port', async () => {
  const { clock, store, calls, port, held } = await setUp();
  await clock.advance(leaseMilliseconds);
  assert.ok(await store.claim('other'));
  await assert.rejects(
    held(() => port.start('a')),
    LeaseLost,
  );
  await assert.rejects(
    held(async () => port.capsules.create('a')),
    LeaseLost,
  );
  assert.deepEqual(calls, []);
});

test('what is asked for no task is no business of a lease', async () => {
  const { clock, store, calls, port } = await setUp();
  await clock.advance(leaseMilliseconds);
  assert.ok(await store.claim('other'));
  await port.start('a');
  assert.deepEqual(calls, ['start a']);
});
