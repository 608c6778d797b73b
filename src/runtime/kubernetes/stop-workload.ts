import { endInPlace } from './end-in-place.ts';
import type { EndingParts } from './ending-parts.ts';
import { hasEnded, isGoing } from './pod-phase.ts';
import { resumeIfPaused } from './resume-if-paused.ts';
import { runningContainers } from './running-containers.ts';
import type { WorkloadPlace } from './workload-place.ts';

/**
 * Ends the containers of a workload's Pod and keeps the Pod, with exit codes and logs. With node access the grace period is the one asked for;
 * without, it is the one that the Pod was made with: Kubernetes takes no other.
 */
export async function stopWorkload(parts: EndingParts, place: WorkloadPlace, graceSeconds: number, signal?: AbortSignal): Promise<void> {
  const pod = await parts.pods.find(place, signal);
  if (!pod || isGoing(pod)) return void (await parts.records.get(place, signal));
  if (hasEnded(pod)) return;
  const { nodeAccess, settings } = parts;
  // The kubelet runs again what has ended and whose Pod has not: then the Pod has to end first, or at least at once.
  const runsAgain = pod.spec?.restartPolicy !== 'Never';
  if (!nodeAccess || (runsAgain && graceSeconds <= settings.stopGraceSeconds)) await endInPlace(parts, place, signal);
  if (nodeAccess) {
    await resumeIfPaused(parts, nodeAccess, place, pod, signal);
    await Promise.all(runningContainers(pod).map((ref) => nodeAccess.stop(ref, graceSeconds, signal)));
    if (runsAgain && graceSeconds > settings.stopGraceSeconds) await endInPlace(parts, place, signal);
  }
  const { signal: never } = new AbortController();
  await parts.pods.until(place, (now) => (now === null || hasEnded(now) ? true : null), signal ?? never, pod);
}
