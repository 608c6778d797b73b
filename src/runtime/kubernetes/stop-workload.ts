import { endInPlace, untilOldEnough } from './end-in-place.ts';
import type { EndingParts } from './ending-parts.ts';
import { annotations } from './kube-object.ts';
import { removalGraceSeconds } from './remove-workload.ts';
import { resumeIfPaused } from './resume-if-paused.ts';
import { runningContainers } from './running-containers.ts';
import { hasEnded, isGoing, nothingHasRun } from './state/pod-phase.ts';
import type { WorkloadPlace } from './workload-place.ts';

/**
 * Ends the containers of a workload's Pod and keeps the Pod, with exit codes and logs. With node access the grace period is the one asked for;
 * without, it is the one that the Pod was made with: Kubernetes takes no other. A Pod none of whose containers has run has nothing to keep, and a
 * kubelet that waits for its volumes does not heed the deadline (seen on 1.34, up to two minutes): it is removed.
 */
export async function stopWorkload(parts: EndingParts, place: WorkloadPlace, graceSeconds: number, signal?: AbortSignal): Promise<void> {
  const pod = await parts.pods.find(place, signal);
  if (!pod) return void (await parts.records.get(place, signal));
  if (hasEnded(pod)) return;
  const { nodeAccess, settings } = parts;
  // Whoever told it to go has given it another grace period, thirty seconds in most cases.
  if (isGoing(pod)) return parts.pods.untilEnded(place, pod, pod.metadata?.deletionGracePeriodSeconds ?? 0, signal);
  if (nothingHasRun(pod)) {
    await parts.pods.remove(place, removalGraceSeconds, signal);
    // What it says of a Pod that vanished does not hold.
    return void (await parts.records.annotate(place, { [annotations.lastEnd]: null }, signal));
  }
  // The kubelet runs again what has ended and whose Pod has not: then the Pod ends first, and its grace period is the longest that can be had.
  const runsAgain = pod.spec?.restartPolicy !== 'Never';
  if (nodeAccess && runsAgain) await untilOldEnough(parts, pod, signal);
  if (!nodeAccess || runsAgain) await endInPlace(parts, place, signal);
  if (nodeAccess) {
    await resumeIfPaused(parts, nodeAccess, place, pod, signal);
    await Promise.all(runningContainers(pod).map((ref) => nodeAccess.stop(ref, graceSeconds, signal)));
  }
  await parts.pods.untilEnded(place, pod, nodeAccess ? graceSeconds : settings.stopGraceSeconds, signal);
}
