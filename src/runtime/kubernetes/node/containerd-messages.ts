/**
 * containerd's messages, as far as `protos/` has them: members in camelCase, 64-bit numbers as numbers (sizes and seconds), enumerations by
 * name. Of an answer every member is there, a message that was not sent as `null`.
 */
export interface Mount {
  type: string;
  source: string;
  options: string[];
}

/** Points at content by its digest. */
export interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

export interface ContainerMessage {
  id: string;
  image: string;
  runtime: { name: string } | null;
  /** JSON of the OCI runtime specification. */
  spec: { value: Buffer } | null;
  snapshotter: string;
  snapshotKey: string;
}

export interface TaskMessage {
  pid: number;
  status: 'UNKNOWN' | 'CREATED' | 'RUNNING' | 'STOPPED' | 'PAUSED' | 'PAUSING';
}

/** A name in containerd's image store and the manifest that it stands for. */
export interface ImageMessage {
  name: string;
  labels: Record<string, string>;
  target: Descriptor;
}

interface SnapshotKey {
  snapshotter: string;
  key: string;
}

type FieldMask = { paths: string[] };
type Labels = Record<string, string>;
type Nothing = Record<string, never>;

/** Request and answer by service and method. */
export interface ContainerdCalls {
  'containerd.services.containers.v1.Containers/Get': [{ id: string }, { container: ContainerMessage }];
  'containerd.services.tasks.v1.Tasks/Get': [{ containerId: string }, { process: TaskMessage }];
  'containerd.services.tasks.v1.Tasks/Kill': [{ containerId: string; signal: number }, Nothing];
  'containerd.services.tasks.v1.Tasks/Pause': [{ containerId: string }, Nothing];
  'containerd.services.tasks.v1.Tasks/Resume': [{ containerId: string }, Nothing];
  'containerd.services.snapshots.v1.Snapshots/Prepare': [SnapshotKey & { parent: string }, { mounts: Mount[] }];
  'containerd.services.snapshots.v1.Snapshots/View': [SnapshotKey & { parent: string }, { mounts: Mount[] }];
  'containerd.services.snapshots.v1.Snapshots/Mounts': [SnapshotKey, { mounts: Mount[] }];
  'containerd.services.snapshots.v1.Snapshots/Commit': [SnapshotKey & { name: string }, Nothing];
  'containerd.services.snapshots.v1.Snapshots/Remove': [SnapshotKey, Nothing];
  'containerd.services.snapshots.v1.Snapshots/Stat': [SnapshotKey, { info: { name: string; parent: string } }];
  'containerd.services.diff.v1.Diff/Apply': [{ diff: Descriptor; mounts: Mount[] }, { applied: Descriptor }];
  'containerd.services.diff.v1.Diff/Diff': [{ left: Mount[]; right: Mount[]; mediaType: string; ref: string }, { diff: Descriptor }];
  'containerd.services.content.v1.Content/Info': [{ digest: string }, { info: { digest: string; size: number; labels: Labels } }];
  'containerd.services.content.v1.Content/Update': [{ info: { digest: string; labels: Labels }; updateMask: FieldMask }, Nothing];
  'containerd.services.images.v1.Images/Get': [{ name: string }, { image: ImageMessage }];
  'containerd.services.images.v1.Images/List': [{ filters: string[] }, { images: ImageMessage[] }];
  'containerd.services.images.v1.Images/Create': [{ image: ImageMessage }, { image: ImageMessage }];
  'containerd.services.images.v1.Images/Update': [{ image: ImageMessage; updateMask: FieldMask }, { image: ImageMessage }];
  'containerd.services.images.v1.Images/Delete': [{ name: string }, Nothing];
  'containerd.services.leases.v1.Leases/Create': [{ id: string; labels: Labels }, Nothing];
  'containerd.services.leases.v1.Leases/Delete': [{ id: string }, Nothing];
  'runtime.v1.RuntimeService/StopContainer': [{ containerId: string; timeout: number }, Nothing];
  'runtime.v1.RuntimeService/ContainerStatus': [{ containerId: string }, { status: { imageRef: string } | null }];
  'runtime.v1.ImageService/ImageStatus': [{ image: { image: string } }, { image: { id: string } | null }];
}
