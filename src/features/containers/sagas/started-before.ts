import type { WorkloadObservation } from '../../../runtime/container-runtime.ts';
import type { SagaContext } from '../../../tasks/saga.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid } from '../container-store.ts';

/**
 * What is seen of a workload that an earlier attempt of this task has started, whose worker died or did not hear of it; `null` when none has.
 * What has ended since is not run again for that: a job would run twice. The row is the task's while it runs, so any start that is later
 * than the one that the row tells of is the task's own.
 */
export async function startedBefore(
  { runtime, database }: Pick<ContainerServices, 'runtime' | 'database'>,
  { task, signal }: Pick<SagaContext, 'task' | 'signal'>,
): Promise<WorkloadObservation | null> {
  if (task.attempt === 1) return null;
  const row = await containerByUuid(database.queries, task.subject);
  const seen = await runtime.inspect(task.subject, signal);
  const startedAt = seen?.state.startedAt ?? null;
  // Rows keep whole seconds.
  return startedAt !== null && Math.floor(startedAt / 1000) * 1000 > (row?.startedAt ?? 0) ? seen : null;
}
