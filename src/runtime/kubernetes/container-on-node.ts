import type { KubePod } from './kube-object.ts';
import type { ContainerRef } from './node/node-access.ts';
import { idOf } from './running-containers.ts';

/** Where a container of a Pod is on its node, running or ended; `null` while there is none. */
export function containerOnNode(pod: KubePod, name: string): ContainerRef | null {
  const status = pod.status?.containerStatuses?.find((one) => one.name === name);
  const containerId = idOf(status?.containerID ?? status?.state?.terminated?.containerID);
  return containerId === '' ? null : { node: pod.spec?.nodeName ?? '', containerId };
}
