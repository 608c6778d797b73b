import type { V1Pod, V1Secret } from '@kubernetes/client-node';

export type KubePod = V1Pod;
export type KubeSecret = V1Secret;

/** Labels that tell Zun's objects from others', and whose they are. See `docs/decisions/kubernetes-workloads.md`. */
export const labels = {
  managedBy: 'app.kubernetes.io/managed-by',
  instance: 'app.kubernetes.io/instance',
  /** UUID of the container or capsule. */
  workload: 'zun.openstack.org/workload',
  /** `container` or `capsule`; `puller` for a Pod that only brings an image to a node. */
  kind: 'zun.openstack.org/kind',
} as const;

/** A label of a capsule's record for each member, so that a member's UUID finds it. */
export const memberLabel = (uuid: string): string => `member.zun.openstack.org/${uuid}`;

/** Annotations. */
export const annotations = {
  /** On a Pod: JSON of the user's labels, which may hold what a Kubernetes label cannot. */
  labels: 'zun.openstack.org/labels',
  /** On a Pod: JSON `Record<container name in the Pod, uuid>` of a capsule's members, init containers too. */
  members: 'zun.openstack.org/members',
  /** On a record: JSON `LastEnd` of the Pod that is gone, written before it is removed. */
  lastEnd: 'zun.openstack.org/last-end',
  /** On a record: the words of a start that failed; absent after one that did not. */
  startError: 'zun.openstack.org/start-error',
  /** On a record: the image that holds the filesystem of the Pod that ended, on its node; absent where nothing was kept. */
  keptImage: 'zun.openstack.org/kept-image',
  /** containerd's id of the container whose filesystem that image holds; it is not kept again. */
  keptOf: 'zun.openstack.org/kept-of',
  /** On a Pod: the runtime's name in Zun. */
  runtime: 'zun.openstack.org/runtime',
  /** On a Pod: how often it may run again after a failure, where there is such a limit. */
  maximumRetryCount: 'zun.openstack.org/maximum-retry-count',
  /** On a Pod: `true` when it is to be removed once it has ended. */
  autoRemove: 'zun.openstack.org/auto-remove',
  /** On a Pod: `true` while the node access holds it. */
  paused: 'zun.openstack.org/paused',
} as const;

/** How a workload ended whose Pod is gone. Times are epoch milliseconds. */
export interface LastEnd {
  exitCode: number;
  startedAt: number | null;
  finishedAt: number | null;
  oomKilled: boolean;
  error: string;
  /** Of a capsule: how its containers ended, by their UUIDs. */
  members?: Record<string, LastEnd>;
}

/** Of the record and the Pod of a workload, in the project's namespace. */
export const workloadName = (uuid: string): string => `zun-${uuid}`;

/** The name of the only container of a container's Pod. A capsule's members are named `zun-<uuid>` of the member. */
export const mainContainer = 'main';
