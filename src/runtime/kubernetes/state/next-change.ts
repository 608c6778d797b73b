import type { KubePod } from '../kube-object.ts';
import { overdueAt } from './held-pod-words.ts';
import { lostAt } from './lost-node-words.ts';
import { startingUntil } from './pod-health.ts';

/**
 * When the next thing said of a Pod's container changes though nothing happens to the Pod, after `now` (both epoch milliseconds): a check that was never
 * passed makes it unhealthy, a node that does not end it is out of reach, finalizers hold it. `null`: not before something happens. `name`: `null`
 * for what is said of the Pod as a whole. Pure.
 */
export function nextChange(pod: KubePod, name: string | null, now: number): number | null {
  const container = pod.spec?.containers.find((one) => one.name === name);
  const status = pod.status?.containerStatuses?.find((one) => one.name === name);
  const unhealthyAt = status ? startingUntil(container, status) : null;
  const times = [unhealthyAt, lostAt(pod), overdueAt(pod)].filter((time) => time !== null && time > now);
  return times.length > 0 ? Math.min(...(times as number[])) : null;
}
