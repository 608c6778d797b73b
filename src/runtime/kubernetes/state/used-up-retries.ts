import type { V1ContainerStatus } from '@kubernetes/client-node';
import { annotations, type KubePod } from '../kube-object.ts';
import { containerEnd } from './container-end.ts';

/**
 * Whether a container has run again as often as its maximum and failed again; `false` where there is no maximum. Kubernetes would run it
 * once more. Pure.
 */
export function hasUsedUpRetries(pod: KubePod, status: V1ContainerStatus): boolean {
  const maximum = pod.metadata?.annotations?.[annotations.maximumRetryCount];
  if (maximum === undefined || status.restartCount < Number(maximum) || status.state?.running) return false;
  const end = containerEnd(status);
  return end !== undefined && end.exitCode !== 0;
}
