import type { Clock } from '../telemetry/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RequestScope } from '../telemetry/request-scope.ts';
import type { ActionLog } from './action-log.ts';
import type { Saga } from './saga.ts';
import { type Interruption, runSaga } from './saga-runner.ts';
import type { Task } from './task.ts';
import type { TaskObserver } from './task-observer.ts';
import type { TaskSignal } from './task-signal.ts';
import { LeaseLost, type TaskStore } from './task-store.ts';

export interface WorkerOptions {
  store: TaskStore;
  actions: ActionLog;
  sagas: ReadonlyMap<string, Saga>;
  signal: TaskSignal;
  clock: Clock;
  logger: Logger;
  /** Names this process in `lease_owner`. */
  owner: string;
  /** Tasks at once. */
  concurrency: number;
  /** Between looks at the table when no signal came. */
  pollMilliseconds: number;
  observer?: TaskObserver;
  /** Each task runs for the request that queued it. */
  scope?: RequestScope;
}

export interface Worker {
  /** Claims no more, lets running tasks end for the grace period, then hands them back. */
  stop(graceMilliseconds: number): Promise<void>;
}

/** So long interrupted tasks may take to be given back. */
const handBackMilliseconds = 1_000;

/** Claims tasks and runs their sagas until it is stopped. */
export function startWorker(options: WorkerOptions): Worker {
  const running = new Map<number, { done: Promise<void>; interrupt: (why: Interruption) => void; subject: string }>();
  const stopping = new AbortController();

  const begin = (task: Task, saga: Saga) => {
    const holding = { steps: new AbortController(), leaving: new AbortController() };
    const interrupt = (why: Interruption) => interruptHolding(holding, why);
    const held = () => hold(options, task, saga, holding);
    const done = (options.scope ? options.scope.run(task, held) : held()).finally(() => {
      running.delete(task.id);
      options.signal.wake();
    });
    running.set(task.id, { done, interrupt, subject: task.subject });
  };

  const loop = async () => {
    while (!stopping.signal.aborted) {
      const woken = options.signal.next(options.pollMilliseconds, stopping.signal, options.clock);
      if (running.size < options.concurrency && (await claimOne(options, begin))) continue;
      await woken;
    }
  };
  const unsubscribe = options.signal.onCancel((subject) => {
    for (const task of running.values()) if (task.subject === subject) task.interrupt('cancelled');
  });
  const looping = loop();

  return {
    async stop(graceMilliseconds) {
      stopping.abort();
      unsubscribe();
      await looping;
      const all = Promise.all([...running.values()].map((task) => task.done));
      const grace = new AbortController();
      await Promise.race([all, options.clock.sleep(graceMilliseconds, grace.signal)]);
      grace.abort();
      for (const task of running.values()) task.interrupt('stopping');
      // One that waits for somebody who does not hear keeps its lease, until that ends or the next start ends it.
      const given = new AbortController();
      void all.then(() => given.abort());
      await options.clock.sleep(handBackMilliseconds, given.signal);
    },
  };
}

async function claimOne(options: WorkerOptions, begin: (task: Task, saga: Saga) => void): Promise<boolean> {
  try {
    const task = await options.store.claim(options.owner);
    options.observer?.looked?.(task);
    if (!task) return false;
    const saga = options.sagas.get(task.kind);
    if (saga) begin(task, saga);
    else options.logger.error({ task: task.uuid, kind: task.kind }, 'no saga of this kind in this version; left for another worker');
    return true;
  } catch (error) {
    options.observer?.looked?.('error');
    options.logger.error({ err: error }, 'the task table cannot be read');
    return false;
  }
}

/** What interrupts a task's steps, and what also interrupts their undoing. */
interface Holding {
  steps: AbortController;
  leaving: AbortController;
}

/** A cancelled task, or one past its deadline, still undoes what it did; a worker that leaves does not wait for that. */
function interruptHolding({ steps, leaving }: Holding, why: Interruption): void {
  steps.abort(why);
  if (why === 'stopping' || why === 'lease lost') leaving.abort(why);
}

/** Runs one task with its lease renewed and its deadline watched. */
async function hold(options: WorkerOptions, task: Task, saga: Saga, holding: Holding): Promise<void> {
  const finished = new AbortController();
  const renewal = options.store.leaseMilliseconds / 3;
  const watch = (async () => {
    while (!finished.signal.aborted) {
      const untilDeadline = Math.max(0, task.deadline - options.clock.now());
      const expired = holding.steps.signal.aborted;
      await options.clock.sleep(expired ? renewal : Math.min(renewal, untilDeadline), finished.signal);
      if (finished.signal.aborted) return;
      if (options.clock.now() >= task.deadline) interruptHolding(holding, 'deadline');
      try {
        const { cancelled } = await options.store.renew(task);
        if (cancelled) interruptHolding(holding, 'cancelled');
      } catch (error) {
        if (error instanceof LeaseLost) interruptHolding(holding, 'lease lost');
        else options.logger.warn({ err: error, task: task.uuid }, 'the lease could not be renewed');
      }
    }
  })();
  const outcome = await runSaga(options, saga, task, holding.steps.signal, holding.leaving.signal);
  finished.abort();
  await watch;
  options.observer?.taskLeft?.(task, outcome === 'ended' ? (task.progress.unwinding ? 'failed' : 'succeeded') : outcome);
  options.logger.info({ task: task.uuid, kind: task.kind, subject: task.subject, attempt: task.attempt, outcome }, 'task left');
}
