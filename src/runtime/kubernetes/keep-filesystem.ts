import { baseImageOf } from './base-image-of.ts';
import { containerOnNode } from './container-on-node.ts';
import type { EndingParts } from './ending-parts.ts';
import { annotations, type KubePod, mainContainer } from './kube-object.ts';
import type { WorkloadPlace } from './workload-place.ts';

/** The image of a node that holds what a container left. */
export const keptImageName = (uuid: string): string => `zun.local/kept/${uuid}:latest`;

/**
 * Keeps the filesystem of a container whose Pod has ended, as an image of its node, and notes that on the record: the next start begins with
 * it. Nothing is kept without node access, of capsules, twice, and where the node has no such container any more.
 */
export async function keepFilesystem(
  { nodeAccess, records }: Pick<EndingParts, 'nodeAccess' | 'records'>,
  place: WorkloadPlace,
  pod: KubePod,
  signal?: AbortSignal,
): Promise<void> {
  const container = containerOnNode(pod, mainContainer);
  if (!nodeAccess || !container || place.container !== mainContainer) return;
  const record = await records.get(place, signal);
  if (record.metadata?.annotations?.[annotations.keptOf] === container.containerId) return;
  if ((await nodeAccess.inspect(container, signal)) === null) return;
  const image = keptImageName(place.uuid);
  await nodeAccess.keep(container, image, baseImageOf(records, record, place), signal);
  await records.annotate(place, { [annotations.keptImage]: image, [annotations.keptOf]: container.containerId }, signal);
}
