import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, memoryDatabase } from '../../test/bench/task-bench.ts';
import { type Ids, randomIds } from '../telemetry/ids.ts';
import type { Task } from './task.ts';
import { TaskStore } from './task-store.ts';

/** A queue whose lots fall as they are told; the head unless said. */
async function setUp(below: Ids['below'] = () => 0) {
  const [database, clock] = [await memoryDatabase(), new ManualClock()];
  const store = new TaskStore(database, clock, { ...randomIds, below });
  let count = 0;
  return {
    database,
    clock,
    store,
    /** So many tasks of a project, each of a subject of its own unless one is named. */
    enqueue: (projectId: string, tasks: number, subject?: string) =>
      database.transaction(async (queries) => {
        for (let index = 0; index < tasks; index += 1) {
          count += 1;
          const common = { kind: 'test', requestId: null, actionId: null, payload: {}, deadline: clock.now() + 60_000 };
          await store.enqueue(queries, { ...common, projectId, subject: subject ?? `subject-${count}` });
        }
      }),
    async claim(): Promise<Task> {
      const task = await store.claim('w');
      assert.ok(task);
      return task;
    },
    async finish(task: Task) {
      await store.write(task, (queries) => store.remove(queries, task));
    },
  };
}

/** Lots that look random and are the same each time. */
function lots(seed: number): Ids['below'] {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

test("one project's thousand queued tasks let another's one pass after at most one of them", async () => {
  const { enqueue, claim, finish } = await setUp();
  await enqueue('many', 1000);
  for (let index = 0; index < 100; index += 1) await finish(await claim());
  for (let index = 0; index < 16; index += 1) await claim();
  await enqueue('one', 1);
  const projects = [await claim(), await claim()].map(({ projectId }) => projectId);
  assert.deepEqual(projects, ['many', 'one']);
});

test("whatever the lots, another's one comes within few claims", async () => {
  const waits: number[] = [];
  for (let seed = 0; seed < 20; seed += 1) {
    const { database, enqueue, claim } = await setUp(lots(seed));
    await enqueue('many', 100);
    await enqueue('one', 1);
    let wait = 1;
    while ((await claim()).projectId !== 'one') wait += 1;
    waits.push(wait);
    await database.close();
  }
  assert.ok(Math.max(...waits) <= 10, waits.join(' '));
});

test('of three projects with much to do each gets a third', async () => {
  const { enqueue, claim, finish } = await setUp();
  for (const project of ['a', 'b', 'c']) await enqueue(project, 50);
  const claimed: string[] = [];
  for (let index = 0; index < 60; index += 1) {
    const task = await claim();
    claimed.push(task.projectId);
    await finish(task);
  }
  assert.deepEqual(
    ['a', 'b', 'c'].map((project) => claimed.filter((own) => own === project).length),
    [20, 20, 20],
  );
});

test('forty projects with a task each all pass the one with a thousand', async () => {
  const { enqueue, claim } = await setUp();
  await enqueue('many', 1000);
  for (let project = 0; project < 40; project += 1) await enqueue(`project-${project}`, 1);
  const claimed: string[] = [];
  for (let index = 0; index < 41; index += 1) claimed.push((await claim()).projectId);
  assert.equal(claimed.filter((project) => project !== 'many').length, 40);
});

test('who queues one task after the other does not keep out who queued many', async () => {
  const { enqueue, claim, finish } = await setUp();
  await enqueue('many', 100);
  const long = await claim();
  const claimed: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    await enqueue('busy', 2);
    for (let free = 0; free < 2; free += 1) {
      const task = await claim();
      claimed.push(task.projectId);
      await finish(task);
    }
  }
  await finish(long);
  assert.ok(claimed.filter((project) => project === 'many').length >= 19, claimed.join(' '));
});

test('a container with a thousand queued tasks takes one claim at a time, and no place of others', async () => {
  const { enqueue, claim } = await setUp();
  await enqueue('p', 1000, 'hot');
  await enqueue('p', 20);
  const subjects: string[] = [];
  for (let index = 0; index < 21; index += 1) subjects.push((await claim()).subject);
  assert.equal(new Set(subjects).size, 21);
  const [hot] = subjects;
  assert.equal(hot, 'hot');
});
