import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStore } from '../../src/tasks/task-store.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { until } from '../system/engine/until.ts';
import { onEachServer } from './on-each-database.ts';
import type { DatabaseSource, TestDatabase } from './test-database.ts';
import { createHistory, type HistoryRow, readHistory } from './workers/history.ts';
import { ProgramProcess } from './workers/program-process.ts';
import type { TestPayload } from './workers/test-sagas.ts';

/** Short, so that a test need not wait long for it; renewed every third of it. */
const leaseMilliseconds = 1_500;

/** Workers in processes of their own on one database; what they leave behind is checked in the end. */
class WorkersBench {
  readonly database: TestDatabase;
  readonly #source: DatabaseSource;
  readonly #store: TaskStore;
  readonly #workers: ProgramProcess[] = [];

  static async use(source: DatabaseSource, work: (bench: WorkersBench) => Promise<void>): Promise<void> {
    const bench = new WorkersBench(source, await source.open());
    try {
      await createHistory(bench.database.queries, bench.database.dialect.tables.serial);
      await work(bench);
    } finally {
      for (const worker of bench.#workers) await worker.kill();
      await bench.database.close();
    }
  }

  private constructor(source: DatabaseSource, database: TestDatabase) {
    this.#source = source;
    this.database = database;
    this.#store = new TaskStore(database, systemClock, randomIds, leaseMilliseconds);
  }

  async worker(owner: string, graceMilliseconds = 0): Promise<ProgramProcess> {
    assert.ok(this.#source.server);
    const args = [owner, leaseMilliseconds, graceMilliseconds];
    const worker = await ProgramProcess.start('worker-program.ts', this.#source.server, this.database.name, ...args);
    this.#workers.push(worker);
    return worker;
  }

  /** Queues tasks in one transaction, as an API in a process of its own would: nobody wakes the workers. */
  async enqueue(...tasks: (TestPayload & { subject?: string; project?: string })[]): Promise<void> {
    await this.database.transaction(async (queries) => {
      for (const { subject, project = 'p', ...payload } of tasks) {
        await this.#store.enqueue(queries, {
          kind: 'test.append',
          subject: subject ?? payload.name,
          projectId: project,
          requestId: null,
          actionId: null,
          payload,
          deadline: systemClock.now() + 600_000,
        });
      }
    });
  }

  history(): Promise<HistoryRow[]> {
    return readHistory(this.database.queries);
  }

  /** Waits for an event of a task; answers it. */
  event(task: string, event: HistoryRow['event'], milliseconds = 30_000): Promise<HistoryRow> {
    const find = async () => (await this.history()).find((row) => row.task === task && row.event === event) ?? null;
    return until(`${task} has come to ${event}`, find, milliseconds);
  }

  /** Waits until nothing is queued, and looks at all that happened. */
  async settled(tasks: number): Promise<HistoryRow[]> {
    const left = async () => (await this.database.queries.selectFrom('openkeel_task').select('id').execute()).length;
    await until('all tasks have ended', async () => ((await left()) === 0 ? true : null), 60_000);
    const history = await this.history();
    assertHistory(history, tasks);
    return history;
  }
}

/** Each task ended once; a later attempt's write is never followed by an earlier one's; tasks of one subject did not overlap. */
function assertHistory(history: HistoryRow[], tasks: number): void {
  const byTask = Map.groupBy(history, ({ task }) => task);
  assert.equal(byTask.size, tasks);
  for (const [task, rows] of byTask) {
    const events = rows.map(({ event, attempt }) => `${event} ${attempt}`).join(', ');
    assert.equal(rows.filter(({ event }) => event === 'end').length, 1, `${task}: ${events}`);
    assert.equal(rows.at(-1)?.event, 'end', `${task}: ${events}`);
    rows.reduce((one, other) => {
      assert.ok(other.attempt >= one.attempt, `${task}: ${events}`);
      assert.ok(other.attempt > one.attempt || other.owner === one.owner, `${task}: one attempt, two workers: ${events}`);
      return other;
    });
  }
  for (const [subject, rows] of Map.groupBy(history, (row) => row.subject)) {
    const turns = rows.filter((row, index) => rows[index - 1]?.task !== row.task);
    assert.equal(turns.length, new Set(rows.map(({ task }) => task)).size, `tasks of ${subject} overlapped`);
  }
}

function workersSuite(source: DatabaseSource): void {
  test('three processes share 120 tasks of 30 subjects: each runs once, those of one subject in order, and all three have work', async () => {
    await WorkersBench.use(source, async (bench) => {
      await Promise.all(['one', 'two', 'three'].map((owner) => bench.worker(owner)));
      const tasks = Array.from({ length: 120 }, (_, index) => ({
        name: `task-${index}`,
        subject: `subject-${index % 30}`,
        works: 20,
        ticks: 1,
      }));
      await bench.enqueue(...tasks);
      const history = await bench.settled(120);
      assert.equal(history.length, 360);
      assert.deepEqual(new Set(history.map(({ attempt }) => attempt)), new Set([1]));
      assert.deepEqual(new Set(history.map(({ owner }) => owner)), new Set(['one', 'two', 'three']));
      const order = history.filter(({ event }) => event === 'end').map(({ task }) => Number(task.slice(5)));
      for (let subject = 0; subject < 30; subject += 1) {
        const own = order.filter((index) => index % 30 === subject);
        assert.deepEqual(
          own,
          own.toSorted((one, other) => one - other),
        );
      }
    });
  });

  test('a task that one process commits is begun by another within a poll', async () => {
    await WorkersBench.use(source, async (bench) => {
      await bench.worker('one');
      await bench.enqueue({ name: 'a' });
      const began = performance.now();
      await bench.event('a', 'begin');
      // A poll is 500 ms; the rest is for a machine that does other things.
      assert.ok(performance.now() - began < 2_000);
    });
  });

  test('a worker that is killed loses its tasks to another once the lease has run out', async () => {
    await WorkersBench.use(source, async (bench) => {
      const killed = await bench.worker('killed');
      await bench.enqueue(...['a', 'b', 'c'].map((name) => ({ name, works: 2_000, ticks: 10 })));
      await bench.event('a', 'tick');
      await killed.kill();
      await bench.worker('other');
      const history = await bench.settled(3);
      assert.deepEqual(new Set(history.filter(({ event }) => event === 'end').map(({ owner }) => owner)), new Set(['other']));
    });
  });

  test('a worker that slept past its lease can write no more, and notices', async () => {
    await WorkersBench.use(source, async (bench) => {
      const sleeper = await bench.worker('sleeper');
      await bench.enqueue({ name: 'a', works: 3_000, ticks: 30 });
      await bench.event('a', 'tick');
      sleeper.signal('SIGSTOP');
      await bench.worker('other');
      await until('the other has it', async () => ((await bench.history()).some(({ owner }) => owner === 'other') ? true : null));
      sleeper.signal('SIGCONT');
      await sleeper.says('left a lost');
      const history = await bench.settled(1);
      const taken = history.findIndex(({ owner }) => owner === 'other');
      assert.ok(history.slice(taken).every(({ owner }) => owner === 'other'));
    });
  });

  test('a worker that is stopped in the middle of a write holds up nobody for longer than the server lets it', async () => {
    await WorkersBench.use(source, async (bench) => {
      const sleeper = await bench.worker('sleeper');
      await bench.enqueue({ name: 'a', stopsItself: true });
      await bench.event('a', 'begin');
      await bench.worker('other');
      const end = await bench.event('a', 'end', 40_000);
      assert.equal(end.owner, 'other');
      sleeper.signal('SIGCONT');
      await sleeper.says('left a lost');
      const history = await bench.settled(1);
      // Both ticks were of the write that the server rolled back.
      assert.deepEqual(
        history.map(({ event, owner }) => `${event} ${owner}`).filter((text) => text !== 'begin other'),
        ['begin sleeper', 'end other'],
      );
    });
  });

  test('SIGTERM lets short work end and hands the rest back, which others go on with at once', async () => {
    await WorkersBench.use(source, async (bench) => {
      const leaver = await bench.worker('leaver', 1_000);
      await bench.enqueue({ name: 'short', works: 600, ticks: 3 }, { name: 'long', works: 20_000, ticks: 100 });
      await Promise.all([bench.event('short', 'tick'), bench.event('long', 'tick')]);
      leaver.signal('SIGTERM');
      await leaver.says('left short succeeded');
      await leaver.says('left long released');
      assert.equal(await leaver.ended(), 0);
      const given = await bench.database.queries.selectFrom('openkeel_task').select(['state', 'lease_owner']).execute();
      assert.deepEqual(
        given.map(({ state, lease_owner }) => [state, lease_owner]),
        [['queued', null]],
      );
      await bench.worker('other');
      const taken = await until('the other has it', async () => (await bench.history()).find(({ owner }) => owner === 'other') ?? null);
      assert.equal(taken.task, 'long');
    });
  });
}

onEachServer({ 'workers in processes of their own': workersSuite });
