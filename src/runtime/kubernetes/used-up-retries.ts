import type { V1ContainerStateTerminated, V1ContainerStatus } from '@kubernetes/client-node';
import { annotations, type KubePod } from './kube-object.ts';

/**
 * The last end of a container that has run again as often as its maximum and failed again; `null` while it may go on, or where there is
 * no maximum. Kubernetes would run it again. Pure.
 */
export function usedUpRetries(pod: KubePod, status: V1ContainerStatus): V1ContainerStateTerminated | null {
  const maximum = pod.metadata?.annotations?.[annotations.maximumRetryCount];
  if (maximum === undefined || status.restartCount < Number(maximum)) return null;
  if (status.state?.running) return null;
  const last = status.state?.terminated ?? status.lastState?.terminated;
  return last !== undefined && last.exitCode !== 0 ? last : null;
}
