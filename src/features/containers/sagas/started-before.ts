import type { WorkloadObservation } from '../../../runtime/container-runtime.ts';
import { startedSince } from '../../../runtime/started-since.ts';
import type { SagaContext } from '../../../tasks/saga.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid } from '../container-store.ts';

/**
 * What is seen of a workload that an earlier attempt of this task has started, whose worker died or did not hear of it; `null` when none has.
 * What has ended since is not run again for that: a job would run twice.
 */
export async function startedBefore(
  services: Pick<ContainerServices, 'runtime' | 'database'>,
  { task, signal }: Pick<SagaContext, 'task' | 'signal'>,
): Promise<WorkloadObservation | null> {
  const since = await earlierStartsSince(services, task);
  if (since === null) return null;
  const seen = await services.runtime.inspect(task.subject, signal);
  return startedSince(seen?.state.startedAt ?? null, since) ? seen : null;
}

/**
 * The moment (epoch milliseconds) after which any start is one of an earlier attempt of this task, since the row is the task's while it runs: the
 * start that the row tells of. `null` for the first attempt.
 */
export async function earlierStartsSince(
  { database }: Pick<ContainerServices, 'database'>,
  { attempt, subject }: SagaContext['task'],
): Promise<number | null> {
  if (attempt === 1) return null;
  return (await containerByUuid(database.queries, subject))?.startedAt ?? 0;
}
