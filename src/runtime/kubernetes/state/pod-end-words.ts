import type { KubePod } from '../kube-object.ts';

/**
 * Why others than its processes and its user ended a Pod: evicted, preempted, its node shut down or refused it; '' when nobody did.
 * `DeadlineExceeded` is our own stop. Pure.
 */
export function podEndWords(pod: KubePod): string {
  const { reason, message, conditions = [] } = pod.status ?? {};
  if (reason === 'DeadlineExceeded') return '';
  if (reason) return message?.trim() || reason;
  const disrupted = conditions.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  return disrupted ? disrupted.message?.trim() || (disrupted.reason ?? '') : '';
}
