import type { Clock } from '../telemetry/clock.ts';
import type { Ids } from '../telemetry/ids.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RequestScope } from '../telemetry/request-scope.ts';
import type { ActionLog } from './action-log.ts';
import { HeldLease } from './held-lease.ts';
import type { LeaseGuard } from './lease-guard.ts';
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
  /** Most between two looks at the table when no signal came, and between two at whether what runs was cancelled. */
  pollMilliseconds: number;
  /** Spreads the looks of many workers. */
  ids: Pick<Ids, 'below'>;
  observer?: TaskObserver;
  /** Each task runs for the request that queued it. */
  scope?: RequestScope;
  /** Each task runs under its lease. */
  leases?: LeaseGuard;
}

export interface Worker {
  /** Claims no more, lets running tasks end for the grace period, then hands them back. */
  stop(graceMilliseconds: number): Promise<void>;
}

/** So long interrupted tasks may take to be given back. */
const handBackMilliseconds = 1_000;

/** What a worker has in hand, by the task's id. */
type Running = Map<number, { done: Promise<void>; interrupt: (why: Interruption) => void; subject: string }>;

/** Claims tasks and runs their sagas until it is stopped. */
export function startWorker(options: WorkerOptions): Worker {
  const running: Running = new Map();
  const stopping = new AbortController();
  const over = new AbortController();
  let isWatched = false;
  let watching = Promise.resolve();

  const watchCancelled = async () => {
    isWatched = true;
    while (running.size > 0 && !over.signal.aborted) {
      await options.clock.sleep(nextLook(options), over.signal);
      if (running.size > 0 && !over.signal.aborted) await interruptCancelled(options, running);
    }
    isWatched = false;
  };
  const begin = (task: Task, saga: Saga, lease: HeldLease) => {
    const holding = { lease, steps: new AbortController(), leaving: new AbortController() };
    const interrupt = (why: Interruption) => interruptHolding(holding, why);
    const held = () => hold(options, task, saga, holding);
    const leased = () => (options.leases ? options.leases.run(lease, held) : held());
    const done = (options.scope ? options.scope.run(task, leased) : leased()).finally(() => {
      running.delete(task.id);
      options.signal.wake();
    });
    running.set(task.id, { done, interrupt, subject: task.subject });
    if (!isWatched) watching = watchCancelled();
  };

  const loop = async () => {
    while (!stopping.signal.aborted) {
      const woken = options.signal.next(nextLook(options), stopping.signal, options.clock);
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
      over.abort();
      await watching;
    },
  };
}

/** Milliseconds to the next look: up to a fifth less than the most, by lot, so that workers that began together do not go on in step. */
function nextLook({ pollMilliseconds, ids }: WorkerOptions): number {
  return pollMilliseconds - ids.below(Math.floor(pollMilliseconds / 5) + 1);
}

/**
 * Interrupts what another process has cancelled; within this one the signal is faster. One query for all that runs, and none while nothing
 * does. With the renewal of leases, every 10 s, a delete would wait that long for a create that pulls.
 */
async function interruptCancelled({ store, logger }: WorkerOptions, running: Running): Promise<void> {
  try {
    for (const id of await store.cancelledAmong([...running.keys()])) running.get(id)?.interrupt('cancelled');
  } catch (error) {
    logger.warn({ err: error }, 'whether tasks were cancelled cannot be read; it will be again');
  }
}

async function claimOne(options: WorkerOptions, begin: (task: Task, saga: Saga, lease: HeldLease) => void): Promise<boolean> {
  const { store, clock } = options;
  try {
    const claimedAt = clock.monotonic();
    const task = await store.claim(options.owner);
    options.observer?.looked?.(task);
    if (!task) return false;
    const saga = options.sagas.get(task.kind);
    if (saga) begin(task, saga, new HeldLease(store, clock, task, claimedAt));
    else options.logger.error({ task: task.uuid, kind: task.kind }, 'no saga of this kind in this version; left for another worker');
    return true;
  } catch (error) {
    options.observer?.looked?.('error');
    options.logger.error({ err: error }, 'the task table cannot be read');
    return false;
  }
}

/** A task in hand: its lease, what interrupts its steps, and what also interrupts their undoing. */
interface Holding {
  lease: HeldLease;
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
        await holding.lease.renew();
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
