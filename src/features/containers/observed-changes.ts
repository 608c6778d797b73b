import type { WorkloadObservation } from '../../runtime/container-runtime.ts';
import { statusOf } from '../../sync/container-status.ts';
import type { Container, ContainerChanges } from './container.ts';

/**
 * What the row should say after the engine was asked; `null` observation = the engine answers and has no such
 * workload. Pure. `force` also writes over a row whose task is running: for the task itself.
 */
export function observedChanges(
  container: Container,
  observation: WorkloadObservation | null,
  now: number,
  options: { force: boolean },
): ContainerChanges {
  if (container.taskState !== null && !options.force) return {};
  const status = statusOf(container, observation?.state ?? null, now);
  if (!observation) return status;
  return {
    ...status,
    containerId: observation.engineId,
    hostname: container.hostname ?? observation.hostname,
    ...commandOf(container, observation),
    ports: observation.ports,
    runtime: observation.runtime ?? container.runtime,
  };
}

/** A container that names no command shows its image's. Origin: docker/driver.py (create). */
function commandOf(container: Container, { command = [], entrypoint = [] }: WorkloadObservation): ContainerChanges {
  return {
    ...(isEmpty(container.command) && command.length > 0 ? { command } : {}),
    ...(isEmpty(container.entrypoint) && entrypoint.length > 0 ? { entrypoint } : {}),
  };
}

const isEmpty = (words: string[] | null): boolean => words === null || words.length === 0;
