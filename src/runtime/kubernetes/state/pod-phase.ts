import type { KubePod } from '../kube-object.ts';

/** Whether the Pod's containers have ended for good. */
export const hasEnded = (pod: KubePod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** Whether none of its containers has been seen to run, now or before: what has not been reported yet may run all the same. */
export function nothingHasRun({ status }: KubePod): boolean {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return statuses.every(({ state, lastState }) => !state?.running && !state?.terminated && !lastState?.terminated);
}

/** Whether it was told to go. */
export const isGoing = (pod: KubePod): boolean => pod.metadata?.deletionTimestamp !== undefined;
