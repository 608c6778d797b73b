import type { WorkloadObservation } from '../../runtime/container-runtime.ts';
import { statusOf } from '../../sync/container-status.ts';
import { unknownStatus } from '../../sync/last-known-status.ts';
import { type HostLoss, lossReason } from '../../sync/lost-host.ts';
import type { Container, ContainerChanges } from './container.ts';
import { observedAddresses } from './observed-addresses.ts';

/**
 * What the row should say after the engine was asked; `null` observation = the engine answers and has no such
 * workload. Pure. `force` also writes over a row whose task is running: for the task itself. `loss` of its host: one that an
 * administrator has declared down keeps its rows Unknown whatever is seen; of a silent one the engine is believed as far as it knows.
 */
export function observedChanges(
  container: Container,
  observation: WorkloadObservation | null,
  now: number,
  options: { force: boolean; loss?: HostLoss | null },
): ContainerChanges {
  if (container.taskState !== null && !options.force) return {};
  const { loss = null } = options;
  if (loss?.kind === 'declared') return lost(container, loss);
  if (loss && observation?.state.status === 'unknown') return lost(container, loss);
  const status = statusOf(container, observation?.state ?? null, now);
  if (!observation) return status;
  return {
    ...status,
    containerId: observation.engineId,
    hostname: container.hostname ?? observation.hostname,
    ...commandOf(container, observation),
    ports: observation.ports,
    addresses: observedAddresses(container.addresses, observation.addresses),
    runtime: observation.runtime ?? container.runtime,
  };
}

function lost({ status, statusReason, statusDetail }: Container, loss: HostLoss): ContainerChanges {
  return unknownStatus({ status, statusReason, statusDetail }, lossReason(loss));
}

/** A container that names no command shows its image's. Origin: docker/driver.py (create). */
function commandOf(container: Container, { command = [], entrypoint = [] }: WorkloadObservation): ContainerChanges {
  return {
    ...(isEmpty(container.command) && command.length > 0 ? { command } : {}),
    ...(isEmpty(container.entrypoint) && entrypoint.length > 0 ? { entrypoint } : {}),
  };
}

const isEmpty = (words: string[] | null): boolean => words === null || words.length === 0;
