import { RuntimeFault } from '../../runtime-fault.ts';
import type { BaseImage } from './base-image.ts';
import type { ContainerdClient } from './containerd-client.ts';
import type { ContainerMessage, Mount } from './containerd-messages.ts';
import { mediaTypesOf } from './image-manifest.ts';
import { findTask } from './node-container.ts';
import { readOnlyMounts } from './read-only-mounts.ts';

const snapshots = 'containerd.services.snapshots.v1.Snapshots';
/** Comparing a large filesystem with its base takes minutes. */
const deadlineMs = 30 * 60_000;

/**
 * What a container's filesystem has over its base image, as the digest of a layer in containerd's store: uncompressed, with whiteouts for
 * what was deleted. Fault `unsupported` for a running container whose filesystem the node cannot look at meanwhile.
 */
export async function containerChanges(
  client: ContainerdClient,
  container: ContainerMessage,
  base: BaseImage,
  lease: string,
): Promise<string> {
  const { snapshotter } = container;
  const right = readOnlyMounts(await containerMounts(client, container));
  const key = `${lease}-base`;
  const left =
    base.chain === '' ? [] : (await client.call(`${snapshots}/View`, { snapshotter, key, parent: base.chain }, { lease })).mounts;
  try {
    const request = { left, right, mediaType: mediaTypesOf('').layer, ref: `${lease}-changes` };
    return (await client.call('containerd.services.diff.v1.Diff/Diff', request, { lease, deadlineMs })).diff.digest;
  } finally {
    // Else it goes with the lease.
    if (base.chain !== '') await client.call(`${snapshots}/Remove`, { snapshotter, key }).catch(() => {});
  }
}

async function containerMounts(client: ContainerdClient, { id, snapshotter, snapshotKey }: ContainerMessage): Promise<Mount[]> {
  const { mounts } = await client.call(`${snapshots}/Mounts`, { snapshotter, key: snapshotKey });
  // A disk that a virtual machine has mounted must not be mounted a second time: its journal would be replayed.
  const isShareable = mounts.every(({ type }) => type === 'overlay' || type === 'bind');
  if (!isShareable && (await findTask(client, id))) {
    throw new RuntimeFault('unsupported', `Snapshotter ${snapshotter} can't be read while the container runs: stop it first.`);
  }
  return mounts;
}
