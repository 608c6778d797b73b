import { RuntimeFault } from '../runtime-fault.ts';
import type { EndingParts } from './ending-parts.ts';
import { annotations, type KubePod, type KubeSecret, mainContainer } from './kube-object.ts';
import type { NodeAccess } from './node-access.ts';
import { idOf } from './running-containers.ts';
import { withoutNodeAccess } from './without-node-access.ts';
import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadRecords } from './workload-records.ts';

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
  const container = pod && containerOf(pod, place.container ?? '');
  if (!container) throw new RuntimeFault('conflict', `Container ${place.uuid} has no filesystem yet: start it first.`);
  const { id } = await nodeAccess.commit(container, baseImageOf(records, record, place), repository, tag, signal);
  return { imageId: id };
}

/**
 * Keeps the filesystem of a container whose Pod has ended, for the next start; answers the image's name. `null` without node access, for
 * capsules, and where the node has no such container any more: then the next start begins with the image.
 */
export function keepFilesystem(nodeAccess: NodeAccess | null, records: WorkloadRecords) {
  return async (place: WorkloadPlace, pod: KubePod, record: KubeSecret, signal?: AbortSignal): Promise<string | null> => {
    const container = containerOf(pod, mainContainer);
    if (!nodeAccess || !container || place.container !== mainContainer) return null;
    if ((await nodeAccess.inspect(container, signal)) === null) return null;
    const image = `zun.local/kept/${place.uuid}:latest`;
    await nodeAccess.keep(container, image, baseImageOf(records, record, place), signal);
    return image;
  };
}

function containerOf(pod: KubePod, name: string): { node: string; containerId: string } | null {
  const status = pod.status?.containerStatuses?.find((one) => one.name === name);
  const containerId = idOf(status?.containerID ?? status?.state?.terminated?.containerID);
  return containerId === '' ? null : { node: pod.spec?.nodeName ?? '', containerId };
}

function baseImageOf(records: WorkloadRecords, record: KubeSecret, place: WorkloadPlace): string {
  const kept = record.metadata?.annotations?.[annotations.keptImage];
  if (kept !== undefined) return kept;
  const recorded = records.specOf(record);
  if (recorded.kind === 'container') return recorded.spec.image;
  const member = [...recorded.spec.initContainers, ...recorded.spec.containers].find(({ uuid }) => uuid === place.uuid);
  return member?.image ?? '';
}
