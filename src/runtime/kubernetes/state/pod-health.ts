import type { V1Container, V1ContainerStatus } from '@kubernetes/client-node';
import type { WorkloadState } from '../../container-runtime.ts';
import { instant } from './instant.ts';

/** A kubelet notices a start, and the API the change of readiness, a second or two late each. */
const slack = 5_000;

/**
 * The health of a container that runs, from its readiness probe; `null` without one. Kubernetes does not tell a check that failed
 * from one that has not been made: in the time that so many failures take since its start, it counts as starting. `now`: epoch milliseconds.
 * Pure.
 */
export function podHealth(container: V1Container | undefined, status: V1ContainerStatus, now: number): WorkloadState['health'] {
  if (!container?.readinessProbe) return null;
  if (status.ready) return 'healthy';
  const until = startingUntil(container, status);
  return until === null || now < until ? 'starting' : 'unhealthy';
}

/** When a container that is not healthy yet counts as unhealthy; `null` for one without a check, or that does not run. Pure. */
export function startingUntil(container: V1Container | undefined, status: V1ContainerStatus): number | null {
  const probe = container?.readinessProbe;
  const started = instant(status.state?.running?.startedAt);
  if (!probe || status.ready || started === null) return null;
  return started + (probe.failureThreshold ?? 3) * (probe.periodSeconds ?? 10) * 1000 + slack;
}
