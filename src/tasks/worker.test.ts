import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { memoryDatabase } from '../../test/bench/task-bench.ts';
import { randomIds } from '../telemetry/ids.ts';
import { silentLogger } from '../telemetry/logger.ts';
import { RequestScope } from '../telemetry/request-scope.ts';
import { ActionLog } from './action-log.ts';
import type { Saga } from './saga.ts';
import type { Task } from './task.ts';
import type { StepEnd, TaskObserver, TaskOutcome } from './task-observer.ts';
import { TaskSignal } from './task-signal.ts';
import { TaskStore } from './task-store.ts';
import { startWorker } from './worker.ts';

const poll = 500;

/** A worker on a clock that stands: what happens without moving it on has waited for no poll. */
async function setUp(run: (signal: AbortSignal) => Promise<void> = async () => {}, concurrency = 2) {
  const clock = new StandingClock();
  const database = await memoryDatabase();
  const store = new WatchedStore(database, clock, randomIds);
  const signal = new TaskSignal();
  const scope = new RequestScope();
  const looks: string[] = [];
  const steps: Omit<StepEnd, 'task'>[] = [];
  const left: TaskOutcome[] = [];
  const during: (string | null)[] = [];
  const observer: TaskObserver = {
    looked: (found) => looks.push(found === null ? 'nothing' : found === 'error' ? 'error' : 'task'),
    stepEnded: ({ task: _task, ...end }) => steps.push(end),
    taskLeft: (_task, outcome) => left.push(outcome),
  };
  const saga: Saga = {
    kind: 'test.work',
    deadlineSeconds: 60,
    steps: [
      {
        name: 'work',
        async run({ signal: interrupted }) {
          during.push(scope.requestId());
          await run(interrupted);
        },
        async undo() {},
      },
    ],
    async failed() {},
  };
  const sagas = new Map([[saga.kind, saga]]);
  const common = { ids: randomIds, store, actions: new ActionLog(clock), sagas, signal, clock, logger: silentLogger, scope, observer };
  const worker = startWorker({ ...common, owner: 'w', concurrency, pollMilliseconds: poll });
  const enqueue = async (subject: string) => {
    await database.transaction((queries) =>
      store.enqueue(queries, {
        kind: saga.kind,
        subject,
        projectId: 'p',
        requestId: `req-${subject}`,
        actionId: null,
        payload: {},
        deadline: clock.now() + 60_000,
      }),
    );
    signal.wake();
  };
  /** As a process of its own does: nobody here is told. */
  const cancelled = (subject: string) => database.transaction((queries) => store.cancel(queries, subject));
  return { clock, worker, store, enqueue, cancelled, looks, steps, left, during };
}

/** Tells what was asked of it. */
class WatchedStore extends TaskStore {
  claims = 0;
  /** Of how many tasks each look asked whether they were cancelled. */
  readonly looks: number[] = [];

  override async claim(owner: string): Promise<Task | null> {
    const task = await super.claim(owner);
    if (task) this.claims += 1;
    return task;
  }

  override cancelledAmong(ids: readonly number[]): Promise<number[]> {
    this.looks.push(ids.length);
    return super.cancelledAmong(ids);
  }
}

/** Looks until it is so; ten seconds at most. The clock of the worker stands meanwhile. */
async function until(condition: () => boolean): Promise<void> {
  for (const signal = AbortSignal.timeout(10_000); !condition(); await new Promise((resolve) => setImmediate(resolve)))
    if (signal.aborted) assert.fail('it did not come to that');
}

test('a task that was committed in this process is claimed without waiting for a poll', async () => {
  const { enqueue, looks, left, worker } = await setUp();
  await until(() => looks.length === 1);
  assert.deepEqual(looks, ['nothing']);
  await enqueue('a');
  await until(() => left.length === 1);
  assert.deepEqual(left, ['succeeded']);
  await worker.stop(0);
});

test('a task that is committed while the worker looks is claimed without waiting for a poll', async () => {
  const { enqueue, left, worker } = await setUp();
  // The first look has begun and has not ended.
  await enqueue('a');
  await until(() => left.length === 1);
  await worker.stop(0);
});

test('a task of a full worker is claimed when another ends, without waiting for a poll', async () => {
  const ends: (() => void)[] = [];
  const { enqueue, left, worker } = await setUp(() => new Promise((resolve) => ends.push(resolve)), 1);
  await enqueue('a');
  await until(() => ends.length === 1);
  await enqueue('b');
  ends[0]?.();
  await until(() => ends.length === 2);
  ends[1]?.();
  await until(() => left.length === 2);
  await worker.stop(0);
});

test('what another process cancels is interrupted within a poll, by one query for all that runs', async () => {
  const { clock, enqueue, cancelled, left, worker, store } = await setUp(
    (signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  await Promise.all([enqueue('a'), enqueue('b')]);
  await until(() => store.claims === 2);
  await cancelled('a');
  await clock.advance(poll);
  await until(() => left.length === 1);
  assert.deepEqual([left, store.looks], [['failed'], [2]]);
  await cancelled('b');
  await clock.advance(poll);
  await until(() => left.length === 2);
  await clock.advance(10 * poll);
  assert.deepEqual(store.looks, [2, 1], 'nothing runs, nothing is asked');
  await worker.stop(0);
});

test('without a wake the table is looked at once a poll', async () => {
  const { clock, looks, worker } = await setUp();
  await until(() => looks.length === 1);
  await clock.advance(poll * 0.8 - 1);
  assert.equal(looks.length, 1);
  await clock.advance(poll * 0.2 + 1);
  await until(() => looks.length === 2);
  await worker.stop(0);
});

test('a task runs for the request that queued it, and its steps are told', async () => {
  const { enqueue, during, steps, left, worker } = await setUp();
  await Promise.all([enqueue('a'), enqueue('b')]);
  await until(() => left.length === 2);
  assert.deepEqual(during.sort(), ['req-a', 'req-b']);
  assert.deepEqual(steps[0], { step: 'work', direction: 'run', outcome: 'done', milliseconds: 0 });
  await worker.stop(0);
});

test('a step that fails is told, its undo too, and that the task has failed', async () => {
  const { enqueue, steps, left, worker } = await setUp(async () => {
    throw new Error('no');
  });
  await enqueue('a');
  await until(() => left.length === 1);
  assert.deepEqual(
    steps.map(({ direction, outcome }) => [direction, outcome]),
    [
      ['run', 'failed'],
      ['undo', 'done'],
    ],
  );
  assert.deepEqual(left, ['failed']);
  await worker.stop(0);
});
