import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadPods } from './workload-pods.ts';
import type { WorkloadRecords } from './workload-records.ts';

/** Seconds from SIGTERM to SIGKILL of a Pod that is removed: 0 would take the object away before the kubelet has ended its processes. */
const removalGraceSeconds = 1;

/** Removes the Pod, waits until it is gone, then the record with everything that it owns. Repeatable: the record is the last to go. */
export async function removeWorkload(
  { pods, records }: { pods: WorkloadPods; records: WorkloadRecords },
  place: WorkloadPlace,
  signal?: AbortSignal,
): Promise<void> {
  await pods.remove(place, removalGraceSeconds, signal);
  await records.remove(place, signal);
}
