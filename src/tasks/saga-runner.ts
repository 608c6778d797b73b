import type { Queries } from '../db/database.ts';
import { ZunError } from '../errors/zun-error.ts';
import { isFault } from '../runtime/runtime-fault.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import { withDeadline } from '../telemetry/with-deadline.ts';
import type { ActionLog } from './action-log.ts';
import { KeepWhatIsDone } from './keep-what-is-done.ts';
import type { Saga, SagaContext, Step } from './saga.ts';
import type { Progress, Task } from './task.ts';
import type { StepEnd, TaskObserver } from './task-observer.ts';
import { LeaseLost, type TaskStore } from './task-store.ts';
import { backOff, isTransient } from './transient.ts';

export interface SagaRunnerOptions {
  store: TaskStore;
  actions: ActionLog;
  clock: Clock;
  logger: Logger;
  observer?: TaskObserver;
}

/** Why a running saga is interrupted; the reason of the abort signal. */
export type Interruption = 'cancelled' | 'deadline' | 'stopping' | 'lease lost';

const defaultPatienceSeconds = 60;
const undoMilliseconds = 60_000;
/** Undoing goes on so long after the deadline before what is left is given up and named. */
const undoGraceMilliseconds = 10 * 60_000;

/**
 * Runs one claimed task to its end, or gives it back. Returns normally in every case: `ended` (the task is
 * gone), `released` (to be claimed again), `lost` (another worker has it). `signal` interrupts the steps; `leaving` says that this
 * worker can't go on at all, and interrupts undoing too.
 */
export async function runSaga(
  options: SagaRunnerOptions,
  saga: Saga,
  task: Task,
  signal: AbortSignal,
  leaving: AbortSignal = signal,
): Promise<'ended' | 'released' | 'lost'> {
  const context: SagaContext = {
    task,
    payload: task.payload,
    data: task.progress.data,
    signal,
    write: (closure) => options.store.write(task, closure),
  };
  try {
    if (!task.progress.unwinding) {
      const outcome = await goForward(options, saga, context);
      if (outcome !== 'unwind') return outcome;
    }
    return await unwind(options, saga, context, leaving);
  } catch (error) {
    if (error instanceof LeaseLost) return 'lost';
    options.logger.error({ err: error, task: task.uuid, kind: task.kind }, 'task could not be written; its lease will run out');
    return 'lost';
  }
}

async function goForward(options: SagaRunnerOptions, saga: Saga, context: SagaContext): Promise<'ended' | 'released' | 'unwind'> {
  const { task, signal } = context;
  const { progress } = task;
  for (let step = saga.steps[progress.next]; step; step = saga.steps[progress.next]) {
    const ended = timed(options, task, step, 'run');
    const began = options.clock.now();
    try {
      if (task.cancelled) throw new Interrupted('cancelled');
      if (options.clock.now() >= task.deadline) throw new Interrupted('deadline');
      throwIfInterrupted(signal);
      await step.run(context);
    } catch (error) {
      const settled = await settleFailure(options, context, step, began, error);
      ended(settled === 'released' ? 'again' : 'failed');
      return settled;
    }
    ended('done');
    progress.next += 1;
    progress.failingSince = null;
    if (progress.next < saga.steps.length) await options.store.saveProgress(task, progress);
  }
  await context.write(async (queries) => {
    await saga.succeeded?.(queries, context);
    if (task.actionId !== null) await options.actions.finish(queries, task.actionId, null);
    await options.store.remove(queries, task);
  });
  return 'ended';
}

async function settleFailure(
  options: SagaRunnerOptions,
  context: SagaContext,
  step: Step,
  began: number,
  error: unknown,
): Promise<'released' | 'unwind'> {
  const { task, signal } = context;
  const { progress } = task;
  if (error instanceof LeaseLost) throw error;
  const interruption = interruptionOf(error, signal);
  if (interruption === 'lease lost') throw new LeaseLost(task);
  const now = options.clock.now();
  if (interruption === 'stopping') {
    await options.store.release(task, now, progress);
    return 'released';
  }
  if (!interruption && isTransient(error) && now < task.deadline && isPatient(progress, step, began, now)) {
    options.logger.warn({ task: task.uuid, step: step.name, attempt: task.attempt, reason: sentence(error) }, 'step will be tried again');
    await options.store.release(task, Math.min(task.deadline, now + backOff(task.attempt)), progress);
    return 'released';
  }
  options.logger.warn({ err: error, task: task.uuid, kind: task.kind, step: step.name }, 'step failed, unwinding');
  const keeps = error instanceof KeepWhatIsDone && !interruption;
  progress.unwinding = { reason: reasonOf(keeps ? error.cause : error, interruption, step), next: keeps ? -1 : progress.next };
  await options.store.saveProgress(task, progress);
  return 'unwind';
}

/** Notes since when there are only transient failures, waiting for an answer among them; `false` once they have lasted too long. */
function isPatient(progress: Progress, step: Step, began: number, now: number): boolean {
  progress.failingSince ??= began;
  return now - progress.failingSince < (step.patienceSeconds ?? defaultPatienceSeconds) * 1000;
}

async function unwind(options: SagaRunnerOptions, saga: Saga, context: SagaContext, leaving: AbortSignal): Promise<'ended' | 'released'> {
  const { task } = context;
  const { progress } = task;
  const unwinding = progress.unwinding;
  if (!unwinding) return 'ended';
  for (; unwinding.next >= 0; unwinding.next -= 1) {
    const step = saga.steps[unwinding.next];
    const ended = timed(options, task, step?.undo && step, 'undo');
    try {
      if (isLeaving(leaving)) throw new Interrupted(leaving.reason);
      // The signal that interrupted the steps has aborted already; each undo has a minute of its own.
      await withDeadline(options.clock, undoMilliseconds, async (expired) =>
        step?.undo?.({ ...context, signal: AbortSignal.any([expired, leaving]) }),
      );
      ended('done');
    } catch (error) {
      const settled = await settleFailedUndo(options, saga, context, step, error, leaving);
      ended(settled === 'released' ? 'again' : 'failed');
      if (settled === 'released') return settled;
    }
  }
  await context.write(async (queries) => {
    await tellFailure(options, saga, context, queries, unwinding.reason);
    await options.store.remove(queries, task);
  });
  return 'ended';
}

/** Gives the task back, to undo the step again later; goes on to the step before once that has been tried long enough. */
async function settleFailedUndo(
  options: SagaRunnerOptions,
  saga: Saga,
  context: SagaContext,
  step: Step | undefined,
  error: unknown,
  leaving: AbortSignal,
): Promise<'released' | 'given up'> {
  const { task } = context;
  const { unwinding } = task.progress;
  if (error instanceof LeaseLost || !unwinding) throw error;
  const now = options.clock.now();
  if (isLeaving(leaving)) {
    if (leaving.reason === ('lease lost' satisfies Interruption)) throw new LeaseLost(task);
    await options.store.release(task, now, task.progress);
    return 'released';
  }
  if (now < task.deadline + undoGraceMilliseconds) {
    options.logger.warn({ err: error, task: task.uuid, step: step?.name }, 'undo will be tried again');
    // The action has failed, whatever time the undoing takes.
    if (!unwinding.told) await context.write((queries) => tellFailure(options, saga, context, queries, unwinding.reason));
    unwinding.told = true;
    await options.store.release(task, now + backOff(task.attempt), task.progress);
    return 'released';
  }
  options.logger.error({ err: error, task: task.uuid, step: step?.name }, 'undo given up');
  unwinding.reason += ` Undoing '${step?.name}' failed: ${sentence(error)}`;
  return 'given up';
}

async function tellFailure(options: SagaRunnerOptions, saga: Saga, context: SagaContext, queries: Queries, reason: string): Promise<void> {
  await saga.failed(queries, context, reason);
  const { actionId } = context.task;
  if (actionId !== null) await options.actions.finish(queries, actionId, reason);
}

/** Tells the observer how a step that begins now ends; of an undo that a step does not have it tells nothing. */
function timed({ clock, observer }: SagaRunnerOptions, task: Task, step: Step | undefined, direction: StepEnd['direction']) {
  const began = clock.now();
  return (outcome: StepEnd['outcome']) => {
    if (step) observer?.stepEnded?.({ task, step: step.name, direction, outcome, milliseconds: clock.now() - began });
  };
}

/** A cancelled task and one past its deadline are undone by the worker that has them. */
function isLeaving(leaving: AbortSignal): boolean {
  const reason = leaving.aborted ? (leaving.reason as Interruption) : null;
  return reason === 'stopping' || reason === 'lease lost';
}

class Interrupted extends Error {
  readonly interruption: Interruption;
  constructor(interruption: Interruption) {
    super(interruption);
    this.interruption = interruption;
  }
}

function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new Interrupted(signal.reason as Interruption);
}

function interruptionOf(error: unknown, signal: AbortSignal): Interruption | null {
  if (error instanceof Interrupted) return error.interruption;
  return signal.aborted ? (signal.reason as Interruption) : null;
}

function reasonOf(error: unknown, interruption: Interruption | null, step: Step): string {
  if (interruption === 'deadline') return `Timed out at step '${step.name}'.`;
  if (interruption === 'cancelled') return `Cancelled at step '${step.name}' because the container is being deleted.`;
  return sentence(error);
}

/** What of an error a user may read: the words of the engine, registry or service; for a defect only that there was one. */
function sentence(error: unknown): string {
  if (error instanceof ZunError || isFault(error)) return error.message;
  return 'Unexpected error; the log of zun-compute has it under the request id of this action.';
}
