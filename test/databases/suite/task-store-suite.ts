import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseLost, leaseMilliseconds, TaskStore } from '../../../src/tasks/task-store.ts';
import { randomIds } from '../../../src/telemetry/ids.ts';
import { ManualClock } from '../../bench/task-bench.ts';
import type { DatabaseSource, TestDatabase } from '../test-database.ts';

const workers = 8;

/** What the queue promises, on any database. */
export function taskStoreSuite(source: DatabaseSource): void {
  const bench = async () => {
    const database = await source.open();
    const clock = new ManualClock();
    const store = new TaskStore(database, clock, randomIds);
    const enqueue = (subject: string, payload: unknown = {}) =>
      database.transaction((queries) =>
        store.enqueue(queries, {
          kind: 'test',
          subject,
          projectId: 'p',
          requestId: 'req-1',
          actionId: null,
          payload,
          deadline: clock.now() + 60_000,
        }),
      );
    return { database, clock, store, enqueue };
  };

  test('a task comes back as it was queued', async () => {
    const { database, clock, store, enqueue } = await bench();
    const payload = { text: 'é😀\'"\\%', large: 'x'.repeat(100_000), nested: [1, null, true] };
    await enqueue('a', payload);
    const task = await store.claim('w');
    assert.deepEqual(task && { ...task, id: 0, uuid: '' }, {
      id: 0,
      uuid: '',
      kind: 'test',
      subject: 'a',
      projectId: 'p',
      requestId: 'req-1',
      actionId: null,
      payload,
      progress: { next: 0, data: {}, failingSince: null, unwinding: null },
      attempt: 1,
      cancelled: false,
      deadline: clock.now() + 60_000,
      createdAt: clock.now(),
    });
    await database.close();
  });

  test('tasks of one subject are claimed in order; what is cancelled says so; what is released waits', async () => {
    const { database, clock, store, enqueue } = await bench();
    await enqueue('a');
    await enqueue('a');
    const first = await store.claim('w');
    assert.ok(first);
    assert.equal(await store.claim('w'), null);
    await store.cancel(database.queries, 'a');
    assert.deepEqual(await store.cancelledAmong([first.id]), [first.id]);
    await store.release(first, clock.now() + 1000, first.progress);
    assert.equal(await store.claim('w'), null);
    clock.advance(1000);
    const again = await store.claim('w');
    assert.deepEqual([again?.id, again?.attempt], [first.id, 2]);
    if (again) await store.write(again, (queries) => store.remove(queries, again));
    assert.notEqual((await store.claim('w'))?.id, first.id);
    assert.deepEqual(await store.busySubjects(), new Set(['a']));
    await database.close();
  });

  test('who lost the lease writes nothing, and what it wrote before it noticed is rolled back', async () => {
    const { database, clock, store, enqueue } = await bench();
    await enqueue('a');
    const sleeper = await store.claim('sleeper');
    clock.advance(leaseMilliseconds + 1);
    const taker = await store.claim('taker');
    assert.ok(sleeper && taker);
    const steal = (queries: TestDatabase['queries']) => queries.updateTable('openkeel_task').set({ kind: 'stolen' }).execute();
    await assert.rejects(store.write(sleeper, steal), LeaseLost);
    await assert.rejects(store.release(sleeper, 0, sleeper.progress), LeaseLost);
    await assert.rejects(
      store.write(taker, async (queries) => {
        await steal(queries);
        throw new Error('the step fails');
      }),
      /the step fails/,
    );
    const rows = await database.queries.selectFrom('openkeel_task').select(['kind', 'attempt']).execute();
    assert.deepEqual(
      rows.map(({ kind, attempt }) => [kind, attempt]),
      [['test', 2]],
    );
    await database.close();
  });

  test(`${workers} workers claim 200 tasks at once: none twice, none left`, async () => {
    const { database, store, enqueue } = await bench();
    for (let index = 0; index < 200; index += 1) await enqueue(`subject-${index % 50}`, { index });
    const done: number[] = [];
    const work = async (owner: string) => {
      for (;;) {
        const task = await store.claim(owner);
        if (!task) {
          if ((await database.queries.selectFrom('openkeel_task').select('id').limit(1).execute()).length === 0) return;
          continue;
        }
        await store.write(task, async (queries) => {
          await store.remove(queries, task);
        });
        done.push((task.payload as { index: number }).index);
      }
    };
    await Promise.all(Array.from({ length: workers }, (_, index) => work(`worker-${index}`)));
    assert.deepEqual(
      done.toSorted((one, other) => one - other),
      Array.from({ length: 200 }, (_, index) => index),
    );
    for (let subject = 0; subject < 50; subject += 1) {
      const ofSubject = done.filter((index) => index % 50 === subject);
      assert.deepEqual(
        ofSubject,
        ofSubject.toSorted((one, other) => one - other),
      );
    }
    await database.close();
  });
}
