import { RuntimeFault } from '../runtime-fault.ts';
import { baseImageOf } from './base-image-of.ts';
import { containerOnNode } from './container-on-node.ts';
import type { EndingParts } from './ending-parts.ts';
import { withoutNodeAccess } from './node/without-node-access.ts';
import type { WorkloadPlace } from './workload-place.ts';

/** Makes an image of a workload's filesystem on its node. The workload has run at least once. */
export async function commitWorkload(
  { pods, records, nodeAccess }: EndingParts,
  place: WorkloadPlace,
  repository: string,
  tag: string,
  signal?: AbortSignal,
): Promise<{ imageId: string }> {
  const record = await records.get(place, signal);
  const pod = await pods.find(place, signal);
  if (!nodeAccess) throw withoutNodeAccess('commit');
  const container = pod && containerOnNode(pod, place.container ?? '');
  if (!container) throw new RuntimeFault('conflict', `Container ${place.uuid} has no filesystem yet: start it first.`);
  const { id } = await nodeAccess.commit(container, baseImageOf(records, record, place), repository, tag, signal);
  return { imageId: id };
}
