import type { ContainerRuntime, WorkloadObservation } from '../../../runtime/container-runtime.ts';
import type { Saga, SagaContext } from '../../../tasks/saga.ts';
import type { ContainerChanges } from '../container.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid, updateContainer } from '../container-store.ts';
import { observedChanges } from '../observed-changes.ts';
import { earlierStartsSince, startedBefore } from './started-before.ts';

/** What a lifecycle saga asks of the runtime. */
export interface LifecycleWork<Payload> {
  kind: string;
  deadlineSeconds: number;
  /** The call; it must be repeatable. What has started after `since` (epoch milliseconds) is of an earlier attempt; `null` = there was none. */
  perform(runtime: ContainerRuntime, uuid: string, payload: Payload, signal: AbortSignal, since: number | null): Promise<unknown>;
  /** It starts the workload, which may have ended by the time that another worker takes the task up. */
  starts?: true;
  /** What else the row says afterwards. */
  afterwards?(now: number): ContainerChanges;
}

/**
 * A saga of one call to the runtime, after which the row says what the engine says. A failure leaves the container
 * in Error with the engine's words, as the original does, and the workload as it is: there is nothing to undo.
 */
export function lifecycleSaga<Payload>(services: ContainerServices, work: LifecycleWork<Payload>): Saga<Payload> {
  const { runtime, clock } = services;
  return {
    kind: work.kind,
    deadlineSeconds: work.deadlineSeconds,
    steps: [
      {
        name: work.kind.replace('container.', ''),
        async run(context) {
          if (work.starts && (await startedBefore(services, context))) return;
          const since = work.starts ? await earlierStartsSince(services, context.task) : null;
          await work.perform(runtime, context.task.subject, context.payload, context.signal, since);
        },
      },
      { name: 'observe', run: (context) => recordObservation(services, context, work.afterwards?.(clock.now()) ?? {}) },
    ],
    failed: (queries, { task }, reason) => settleFailure(services, queries, task.subject, reason),
  };
}

/** Asks the engine, unless it has just been `seen`, and writes what it says, with no task state any more. */
export async function recordObservation(
  services: ContainerServices,
  context: Pick<SagaContext, 'task' | 'signal' | 'write'>,
  extra: ContainerChanges,
  seen: WorkloadObservation | null = null,
): Promise<void> {
  const uuid = context.task.subject;
  const observation = seen ?? (await services.runtime.inspect(uuid, context.signal));
  await context.write(async (queries) => {
    const container = await containerByUuid(queries, uuid);
    if (!container) return;
    const now = services.clock.now();
    const changes = observedChanges(container, observation, now, { force: true });
    await updateContainer(queries, uuid, { statusReason: null, ...changes, taskState: null, ...extra }, now);
  });
}

/**
 * Error with the reason, and no task state: every action of a failed task ends so. A container whose delete is queued goes on
 * saying that it is being deleted: this failure may be the delete's own doing.
 */
export async function settleFailure(
  services: Pick<ContainerServices, 'clock' | 'tasks'>,
  queries: Parameters<typeof updateContainer>[0],
  uuid: string,
  reason: string,
  extra: ContainerChanges = {},
): Promise<void> {
  // A delete that lets the container end first has not said Deleting yet.
  const isDeleting =
    (await containerByUuid(queries, uuid))?.status === 'Deleting' || (await services.tasks.isWanted(queries, uuid, 'container.delete'));
  const end: ContainerChanges = isDeleting ? {} : { status: 'Error', taskState: null };
  await updateContainer(queries, uuid, { ...end, statusReason: reason, ...extra }, services.clock.now());
}
