import { isFault } from '../runtime-fault.ts';
import { annotations, type KubePod } from './kube-object.ts';
import type { NodeAccess } from './node/node-access.ts';
import { runningContainers } from './running-containers.ts';
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
  // What is held meets no signal, and under gVisor SIGKILL neither.
  const endHeld = nodeAccess ? (pod: KubePod) => killHeld(nodeAccess, pod, signal) : undefined;
  await pods.remove(place, removalGraceSeconds, signal, endHeld);
  if (nodeAccess) await removeKept(records, nodeAccess, place, signal);
  await records.remove(place, signal);
}

async function killHeld(nodeAccess: NodeAccess, pod: KubePod, signal?: AbortSignal): Promise<void> {
  if (pod.metadata?.annotations?.[annotations.paused] !== 'true') return;
  for (const container of runningContainers(pod)) {
    await nodeAccess.kill(container, 'KILL', signal).catch((error) => {
      // It has ended, or its node is gone, which the wait for the Pod tells.
      if (!isFault(error, 'conflict', 'not-found', 'unsupported', 'unreachable')) throw error;
    });
  }
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
