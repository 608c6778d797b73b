import { RuntimeFault } from '../runtime-fault.ts';
import type { EndingParts } from './ending-parts.ts';
import { annotations } from './kube-object.ts';
import { withoutNodeAccess } from './node/without-node-access.ts';
import { resumeIfPaused } from './resume-if-paused.ts';
import { runningContainers } from './running-containers.ts';
import { hasEnded, isGoing } from './state/pod-phase.ts';
import type { WorkloadPlace } from './workload-place.ts';

/** Holds or lets go on the containers of a workload. What is so already is a conflict, as in Docker. */
export async function holdWorkload(parts: EndingParts, place: WorkloadPlace, hold: boolean, signal?: AbortSignal): Promise<void> {
  const pod = await parts.pods.find(place, signal);
  if (!pod) await parts.records.get(place, signal);
  const refs = pod && !hasEnded(pod) && !isGoing(pod) ? runningContainers(pod) : [];
  if (!pod || refs.length === 0) throw new RuntimeFault('conflict', `Container ${place.uuid} is not running`);
  const isHeld = pod.metadata?.annotations?.[annotations.paused] === 'true';
  if (isHeld === hold) throw new RuntimeFault('conflict', `Container ${place.uuid} is ${hold ? 'already' : 'not'} paused`);
  const { nodeAccess } = parts;
  if (!nodeAccess) throw withoutNodeAccess(hold ? 'pause' : 'unpause');
  if (hold) {
    await Promise.all(refs.map((ref) => nodeAccess.pause(ref, signal)));
    await parts.pods.patch(place, { metadata: { annotations: { [annotations.paused]: 'true' } } }, signal);
  } else {
    await resumeIfPaused(parts, nodeAccess, place, pod, signal);
  }
}
