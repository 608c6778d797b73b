import type { KubePod } from './kube-object.ts';
import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadPods } from './workload-pods.ts';

/** Has the kubelet end the Pod: SIGTERM, the Pod's grace period, SIGKILL. The Pod stays. */
export async function endInPlace(parts: { pods: WorkloadPods }, place: WorkloadPlace, signal?: AbortSignal): Promise<KubePod> {
  return await parts.pods.patch(place, { spec: { activeDeadlineSeconds: 1 } }, signal);
}

/**
 * The same before its containers are ended by somebody else: the kubelet would run again what has ended before it has heard that the Pod is over
 * (seen on a busy node, where a kill came sooner than the word of the Pod's end).
 */
export async function endInPlaceFirst(parts: { pods: WorkloadPods }, place: WorkloadPlace, signal?: AbortSignal): Promise<void> {
  await parts.pods.untilHeard(place, await endInPlace(parts, place, signal), signal);
}
