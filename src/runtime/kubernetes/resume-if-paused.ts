import { isFault } from '../runtime-fault.ts';
import { annotations, type KubePod } from './kube-object.ts';
import type { NodeAccess } from './node/node-access.ts';
import { runningContainers } from './running-containers.ts';
import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadPods } from './workload-pods.ts';

/** Lets a held workload go on; one that is not held is left as it is. */
export async function resumeIfPaused(
  parts: { pods: WorkloadPods },
  nodeAccess: NodeAccess,
  place: WorkloadPlace,
  pod: KubePod,
  signal?: AbortSignal,
): Promise<void> {
  if (pod.metadata?.annotations?.[annotations.paused] !== 'true') return;
  await Promise.all(
    runningContainers(pod).map((ref) =>
      nodeAccess.resume(ref, signal).catch((error) => {
        // It has ended meanwhile.
        if (!isFault(error, 'conflict', 'not-found')) throw error;
      }),
    ),
  );
  await parts.pods.patch(place, { metadata: { annotations: { [annotations.paused]: null } } }, signal);
}
