import type { KubePod } from '../kube-object.ts';
import { hasEnded, isGoing } from './pod-phase.ts';
import { hasUsedUpRetries } from './used-up-retries.ts';

/**
 * Whether the Pod is to be ended in place, for Kubernetes would run its containers for ever: each of them has used up its retries or
 * succeeded. One container of a capsule can't be ended alone, so a capsule goes on while another runs. Pure.
 */
export function exceededRetries(pod: KubePod): boolean {
  const statuses = pod.status?.containerStatuses ?? [];
  if (hasEnded(pod) || isGoing(pod) || statuses.length === 0) return false;
  const atRest = statuses.every((status) => hasUsedUpRetries(pod, status) || status.state?.terminated?.exitCode === 0);
  return atRest && statuses.some((status) => hasUsedUpRetries(pod, status));
}
