import type { WorkloadState } from '../../runtime/container-runtime.ts';
import type { Container, ContainerStatus } from '../containers/container.ts';

export interface CapsuleStatus {
  status: ContainerStatus;
  statusReason: string | null;
}

/**
 * A capsule's status from its sandbox and its containers as they are now: it runs while one of them does, and has stopped when all
 * have. The original never looks again, and says Running for ever. Of a sandbox that can't be looked at nothing is asked here. Pure.
 */
export function capsuleStatus(sandbox: WorkloadState, containers: Pick<Container, 'name' | 'status' | 'statusReason'>[]): CapsuleStatus {
  const lost = containers.find(({ status }) => status === 'Error');
  if (lost) return { status: 'Error', statusReason: `Container ${lost.name}: ${lost.statusReason ?? 'it is in error.'}` };
  const statuses = new Set(containers.map(({ status }) => (status === 'Dead' ? 'Stopped' : status)));
  if (statuses.size === 1 && statuses.has('Stopped')) return { status: 'Stopped', statusReason: null };
  if (sandbox.status !== 'running')
    return { status: 'Error', statusReason: sandbox.error || 'The sandbox that holds the network of the capsule does not run.' };
  const shown = (['Running', 'Restarting', 'Paused', 'Created'] as const).find((status) => statuses.has(status));
  if (shown) return { status: shown, statusReason: null };
  const unknown = containers.find(({ status }) => status === 'Unknown');
  return { status: 'Unknown', statusReason: unknown?.statusReason ?? `Its containers are ${[...statuses].join(' and ')}.` };
}
