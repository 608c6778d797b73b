import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { memoryDatabase } from '../../test/bench/task-bench.ts';
import { randomIds } from '../telemetry/ids.ts';
import { silentLogger } from '../telemetry/logger.ts';
import { ActionLog } from './action-log.ts';
import type { SagaContext } from './saga.ts';
import { TaskSignal } from './task-signal.ts';
import { TaskStore } from './task-store.ts';
import { startWorker } from './worker.ts';

/** A worker in the middle of a task whose only step does this work. */
async function working(work: (context: SagaContext) => Promise<void>, undo?: (context: SagaContext) => Promise<void>) {
  const clock = new StandingClock();
  const database = await memoryDatabase();
  const store = new TaskStore(database, clock, randomIds);
  let begun = () => {};
  const entered = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const run = (context: SagaContext) => {
    begun();
    return work(context);
  };
  const steps = [{ name: 'only', run, ...(undo ? { undo } : {}) }];
  const saga = { kind: 'test', deadlineSeconds: 600, steps, failed: async () => {} };
  const deadline = clock.now() + 600_000;
  const task = { kind: 'test', subject: 'a', projectId: 'p', requestId: null, actionId: null, payload: {}, deadline };
  await database.transaction((queries) => store.enqueue(queries, task));
  const parts = { store, actions: new ActionLog(clock), signal: new TaskSignal(), clock, logger: silentLogger };
  const worker = startWorker({ ...parts, sagas: new Map([['test', saga]]), owner: 'w', concurrency: 2, pollMilliseconds: 500 });
  await entered;
  const states = async () => (await database.queries.selectFrom('openkeel_task').select('state').execute()).map(({ state }) => state);
  return { clock, worker, signal: parts.signal, states };
}

const untilAborted = ({ signal }: SagaContext) =>
  new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('interrupted'))));

/** Moves the clock on, by a second at a time, until the worker has stopped. */
async function stopping({ clock, worker }: Pick<Awaited<ReturnType<typeof working>>, 'clock' | 'worker'>): Promise<void> {
  let stopped = false;
  const stop = worker.stop(1_000).then(() => {
    stopped = true;
  });
  for (let seconds = 0; seconds < 10 && !stopped; seconds += 1) await clock.advance(1_000);
  await stop;
}

test('a worker that stops lets a task end within the grace period', async () => {
  let end = () => {};
  const { worker, states } = await working(
    () =>
      new Promise((resolve) => {
        end = resolve;
      }),
  );
  const stopped = worker.stop(1_000);
  end();
  await stopped;
  assert.deepEqual(await states(), []);
});

test('a worker that stops hands back a task that takes longer', async () => {
  const world = await working(untilAborted);
  await stopping(world);
  assert.deepEqual(await world.states(), ['queued']);
});

test('a worker that stops hands back a cancelled task that is being undone', async () => {
  let undoing = () => {};
  const undone = new Promise<void>((resolve) => {
    undoing = resolve;
  });
  const world = await working(untilAborted, (context) => {
    undoing();
    return untilAborted(context);
  });
  world.signal.cancel('a');
  await undone;
  await stopping(world);
  assert.deepEqual(await world.states(), ['queued']);
});

test('a worker that stops leaves a task that does not hear to its lease', async () => {
  const world = await working(() => new Promise(() => {}));
  await stopping(world);
  assert.deepEqual(await world.states(), ['running']);
});
