import type { WorkloadObservation } from '../runtime/container-runtime.ts';

/**
 * How bringing a row in line with the engine went: it is, or its task is at work, which may have asked the engine before what the event
 * told of; then it is looked at again. `lookAgainAt` (epoch milliseconds): it is in line until then, though nothing may happen to the workload.
 */
export type Reconciled = 'settled' | 'busy' | { lookAgainAt: number };

/** In line with these observations of it. */
export function inLineWith(observations: readonly (WorkloadObservation | null)[]): Reconciled {
  const changes = observations.flatMap((observation) => observation?.changesAt ?? []);
  return changes.length === 0 ? 'settled' : { lookAgainAt: Math.min(...changes) };
}
