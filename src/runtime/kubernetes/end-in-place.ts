import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadPods } from './workload-pods.ts';

/** Has the kubelet end the Pod: SIGTERM, the Pod's grace period, SIGKILL. The Pod stays. */
export async function endInPlace(parts: { pods: WorkloadPods }, place: WorkloadPlace, signal?: AbortSignal): Promise<void> {
  await parts.pods.patch(place, { spec: { activeDeadlineSeconds: 1 } }, signal);
}
