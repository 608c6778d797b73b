import type { KubePod } from './kube-object.ts';
import type { ContainerRef } from './node/node-access.ts';

/** Where the running containers of a Pod, or one of them, are on its node. */
export function runningContainers(pod: KubePod, name: string | null = null): ContainerRef[] {
  return (pod.status?.containerStatuses ?? [])
    .filter((status) => status.state?.running !== undefined && (name === null || status.name === name))
    .map((status) => ({ node: pod.spec?.nodeName ?? '', containerId: idOf(status.containerID) }));
}

/** The id behind `containerd://`. */
export const idOf = (containerId: string | undefined): string => (containerId ?? '').replace(/^[a-z-]+:\/\//, '');
