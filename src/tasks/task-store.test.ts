import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TaskBench, taskBench } from '../../test/bench/task-bench.ts';
import { LeaseLost, leaseMilliseconds } from './task-store.ts';

const enqueue = (bench: TaskBench, subject: string, kind = 'test') =>
  bench.database.transaction((queries) =>
    bench.store.enqueue(queries, {
      kind,
      subject,
      projectId: 'p',
      requestId: null,
      actionId: null,
      payload: {},
      deadline: bench.clock.now() + 60_000,
    }),
  );

test('tasks of one subject are claimed in order, the next only when the one before has ended', async () => {
  const bench = await taskBench();
  await enqueue(bench, 'a', 'first');
  await enqueue(bench, 'a', 'second');
  const first = await bench.store.claim('w');
  assert.equal(first?.kind, 'first');
  assert.equal(await bench.store.claim('w'), null);
  if (first) await bench.store.write(first, (queries) => bench.store.remove(queries, first));
  assert.equal((await bench.store.claim('w'))?.kind, 'second');
});

test('tasks of different subjects are claimed at the same time', async () => {
  const bench = await taskBench();
  await enqueue(bench, 'a');
  await enqueue(bench, 'b');
  const subjects = [(await bench.store.claim('w'))?.subject, (await bench.store.claim('w'))?.subject];
  assert.deepEqual(subjects.sort(), ['a', 'b']);
});

test('a task whose lease ran out is claimed by another, and its first holder can write no more', async () => {
  const bench = await taskBench();
  await enqueue(bench, 'a');
  const sleeper = await bench.store.claim('sleeper');
  bench.clock.advance(leaseMilliseconds + 1);
  const taker = await bench.store.claim('taker');
  assert.ok(sleeper && taker);
  assert.equal(taker.attempt, sleeper.attempt + 1);
  await assert.rejects(
    bench.store.write(sleeper, async (queries) => {
      await queries.updateTable('openkeel_task').set({ kind: 'stolen' }).execute();
    }),
    LeaseLost,
  );
  await assert.rejects(bench.store.renew(sleeper), LeaseLost);
  await assert.rejects(bench.store.release(sleeper, 0, sleeper.progress), LeaseLost);
  assert.equal(await bench.store.write(taker, async () => 'held'), 'held');
  const rows = await bench.database.queries.selectFrom('openkeel_task').select('kind').execute();
  assert.deepEqual(
    rows.map((row) => row.kind),
    ['test'],
  );
});

test('a renewed lease keeps the task', async () => {
  const bench = await taskBench();
  await enqueue(bench, 'a');
  const task = await bench.store.claim('w');
  assert.ok(task);
  bench.clock.advance(leaseMilliseconds - 1);
  await bench.store.renew(task);
  bench.clock.advance(leaseMilliseconds - 1);
  assert.equal(await bench.store.claim('other'), null);
});

test('a task given back is not claimable before its time', async () => {
  const bench = await taskBench();
  await enqueue(bench, 'a');
  const task = await bench.store.claim('w');
  assert.ok(task);
  await bench.store.release(task, bench.clock.now() + 1000, task.progress);
  assert.equal(await bench.store.claim('w'), null);
  bench.clock.advance(1000);
  assert.equal((await bench.store.claim('w'))?.attempt, 2);
});

test('a task added in a transaction that fails is not there', async () => {
  const bench = await taskBench();
  await assert.rejects(
    bench.database.transaction(async (queries) => {
      await bench.store.enqueue(queries, {
        kind: 'k',
        subject: 'a',
        projectId: 'p',
        requestId: null,
        actionId: null,
        payload: {},
        deadline: 0,
      });
      throw new Error('no');
    }),
  );
  assert.equal(await bench.store.claim('w'), null);
});

test('a process that starts ends the leases of its dead predecessor on this host, and nobody else’s', async () => {
  const bench = await taskBench();
  await enqueue(bench, 'a');
  await enqueue(bench, 'b');
  const dead = await bench.store.claim('node-1:4711');
  const alive = await bench.store.claim('node-2:4711');
  assert.ok(dead && alive);
  assert.equal(await bench.store.claim('node-1:4712'), null);
  await bench.store.endLeases('node-1');
  assert.equal((await bench.store.claim('node-1:4712'))?.subject, dead.subject);
  assert.equal(await bench.store.claim('node-1:4712'), null);
  await bench.store.renew(alive);
});
