import { isFault } from '../runtime-fault.ts';
import { annotations } from './kube-object.ts';
import type { NodeAccess } from './node-access.ts';
import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadPods } from './workload-pods.ts';
import type { WorkloadRecords } from './workload-records.ts';

/** Seconds from SIGTERM to SIGKILL of a Pod that is removed: 0 would take the object away before the kubelet has ended its processes. */
export const removalGraceSeconds = 1;

/**
 * Removes the Pod, waits until it is gone, then what was kept of it on its node, then the record with everything that it owns. Repeatable:
 * the record is the last to go.
 */
export async function removeWorkload(
  { pods, records, nodeAccess }: { pods: WorkloadPods; records: WorkloadRecords; nodeAccess: NodeAccess | null },
  place: WorkloadPlace,
  signal?: AbortSignal,
): Promise<void> {
  await pods.remove(place, removalGraceSeconds, signal);
  if (nodeAccess) await removeKept(records, nodeAccess, place, signal);
  await records.remove(place, signal);
}

async function removeKept(records: WorkloadRecords, nodeAccess: NodeAccess, place: WorkloadPlace, signal?: AbortSignal): Promise<void> {
  const record = await records.find(place, signal);
  const kept = record?.metadata?.annotations?.[annotations.keptImage];
  const host = record && records.specOf(record).spec.host;
  if (kept === undefined || !host) return;
  await nodeAccess.removeImage(host, kept, signal).catch((error) => {
    // A node that is gone has taken its images along.
    if (!isFault(error, 'unsupported', 'unreachable')) throw error;
  });
}
