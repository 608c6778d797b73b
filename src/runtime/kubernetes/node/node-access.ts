import type { RegistryCredentials } from '../../image-store.ts';

/**
 * What only the node itself can do with a container: the Kubernetes API has no call for it. Asked of the node by whoever holds its
 * containerd socket. Every call may be repeated. Faults as of `ContainerRuntime`; `unsupported`, with what the operator can do about it,
 * where a node gives no access.
 */
export interface NodeAccess {
  /** `null` when containerd has no such container any more. */
  inspect(ref: ContainerRef, signal?: AbortSignal): Promise<NodeContainer | null>;
  /** Freezes every process. Of a container under gVisor: of its whole Pod. Pausing what is paused succeeds; `conflict` when nothing runs. */
  pause(ref: ContainerRef, signal?: AbortSignal): Promise<void>;
  /** Resuming what runs succeeds; `conflict` when it has ended. */
  resume(ref: ContainerRef, signal?: AbortSignal): Promise<void>;
  /** Sends a signal to the first process, `TERM`, `SIGTERM` or a number. A paused process meets it when it goes on; SIGKILL at once. */
  kill(ref: ContainerRef, signalName: string, signal?: AbortSignal): Promise<void>;
  /** The image's stop signal, then SIGKILL after the grace period; resumes what is paused. Stopping what has ended succeeds. */
  stop(ref: ContainerRef, graceSeconds: number, signal?: AbortSignal): Promise<void>;
  /**
   * Makes the container's filesystem, as it is, an image of the node under that name, from which a Pod with `imagePullPolicy: Never` starts.
   * It has one layer more than the base image: what changed. `baseImage` is what the container was made from, by name, digest or id; for
   * a container made from a kept image that image does as well. A name that is taken is given to the new image.
   */
  keep(ref: ContainerRef, image: string, baseImage: string, signal?: AbortSignal): Promise<NodeImage>;
  /** `keep` under `repository:tag`, for good: paused meanwhile, compressed as registries like it, and a base of its own for what is made from it. */
  commit(ref: ContainerRef, baseImage: string, repository: string, tag: string, signal?: AbortSignal): Promise<NodeImage>;
  /** Uploads an image of the node to the registry that its name says. `denied` when the registry refuses the credentials. */
  push(node: string, image: string, credentials: RegistryCredentials | null, signal?: AbortSignal): Promise<{ digest: string }>;
  /** A docker-archive tar of the image, as of `docker save`. */
  exportImage(node: string, image: string, signal?: AbortSignal): Promise<Buffer>;
  /** Takes the name away. Containers made from it go on. Removing what is gone succeeds. */
  removeImage(node: string, image: string, signal?: AbortSignal): Promise<void>;
  listImages(node: string, signal?: AbortSignal): Promise<NodeImage[]>;
}

/** A container of a Pod. */
export interface ContainerRef {
  /** Name of the Kubernetes node. */
  node: string;
  /** containerd's id, what follows `containerd://` in the Pod's status. */
  containerId: string;
}

export interface NodeContainer {
  status: 'created' | 'running' | 'paused' | 'stopped';
  /** Of the first process, in the node's namespace; 0 when none runs. */
  pid: number;
  snapshotter: string;
  snapshotKey: string;
  /** Name of the image it was made from. */
  image: string;
}

export interface NodeImage {
  /** Digest of its configuration, `sha256:…`. */
  id: string;
  /** As containerd spells it: `docker.io/library/busybox:1`. */
  names: string[];
  /** Of layers and configuration, as they are stored. */
  sizeBytes: number;
}
