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
  const probe = container?.readinessProbe;
  if (!probe) return null;
  if (status.ready) return 'healthy';
  const started = instant(status.state?.running?.startedAt);
  const window = (probe.failureThreshold ?? 3) * (probe.periodSeconds ?? 10) * 1000 + slack;
  return started === null || now < started + window ? 'starting' : 'unhealthy';
}
