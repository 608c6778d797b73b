import type { WorkloadState } from '../../runtime/container-runtime.ts';
import type { WholeCapsule } from './capsule.ts';
import type { CapsuleObservations } from './observed-capsule.ts';

/**
 * The uuids of containers that have lost the network they joined, and whose restart policy wants them back: an engine that starts
 * again starts sandbox and containers in any order (of 3 capsules on Docker 20.10 one lost its container so), and one that restarts
 * the sandbox alone leaves the others in the old one's namespaces. Pure.
 */
export function repairPlan({ capsule, containers }: WholeCapsule, observations: CapsuleObservations): string[] {
  const sandbox = observations[capsule.uuid]?.state;
  if (!sandbox || sandbox.status === 'unknown') return [];
  return containers
    .filter(({ uuid, restartPolicy }) => {
      const state = observations[uuid]?.state;
      return state !== undefined && (restartPolicy?.Name ?? 'no') !== 'no' && hasLostNetwork(state, sandbox);
    })
    .map(({ uuid }) => uuid);
}

function hasLostNetwork(state: WorkloadState, sandbox: WorkloadState): boolean {
  // The engine has words for a start that failed, none for a process that ended.
  if (state.status === 'exited') return state.error !== '';
  if (state.status !== 'running') return false;
  return sandbox.status !== 'running' || Number(state.startedAt) < Number(sandbox.startedAt);
}
