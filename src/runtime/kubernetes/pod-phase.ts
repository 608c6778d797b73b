import type { KubePod } from './kube-object.ts';

/** Whether the Pod's containers have ended for good. */
export const hasEnded = (pod: KubePod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** Whether it was told to go. */
export const isGoing = (pod: KubePod): boolean => pod.metadata?.deletionTimestamp !== undefined;
