import type { CoreV1Event } from '@kubernetes/client-node';
import { instant } from './instant.ts';
import { startWords } from './start-words.ts';

/** Why a Pod waits for what its status does not tell of: its volumes and its sandbox, or a network while it runs. */
const reasons = {
  start: ['FailedMount', 'FailedAttachVolume', 'FailedMapVolume', 'FailedCreatePodSandBox', 'FailedScheduling'],
  network: ['FailedAddingInterface', 'FailedRemovingInterface'],
} as const;

/** What a Pod waits for. */
export type PodWait = keyof typeof reasons;

/** The newest of what a Pod's events say stands in its way; `null` when none says so. Pure. */
export function podObstacle(events: CoreV1Event[], wait: PodWait = 'start'): string | null {
  const wanted: readonly string[] = reasons[wait];
  const newest = events
    .filter(({ reason = '', message }) => wanted.includes(reason) && message)
    .toSorted((one, other) => timeOf(other) - timeOf(one))[0];
  const words = newest?.message?.trim().replace(/^Failed to create pod sandbox: /, '');
  return words === undefined ? null : startWords(words);
}

/** Of an event that was repeated the last time; newer writers have their own fields. */
function timeOf({ series, lastTimestamp, eventTime, metadata }: CoreV1Event): number {
  return Math.max(...[series?.lastObservedTime, lastTimestamp, eventTime, metadata.creationTimestamp].map((time) => instant(time) ?? 0));
}
