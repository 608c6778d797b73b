import { isFault } from '../../runtime-fault.ts';
import type { ContainerdClient } from './containerd-client.ts';
import type { ManifestEntry } from './image-manifest.ts';

const snapshots = 'containerd.services.snapshots.v1.Snapshots';
const deadlineMs = 30 * 60_000;

/** Makes the snapshot of a layer on top of another snapshot ('' = of none). One that is there is left. */
export async function unpackLayer(
  client: ContainerdClient,
  { snapshotter, parent, chain, layer, lease }: { snapshotter: string; parent: string; chain: string; layer: ManifestEntry; lease: string },
): Promise<void> {
  const key = `${lease}-unpacked`;
  const { mounts } = await client.call(`${snapshots}/Prepare`, { snapshotter, key, parent }, { lease });
  try {
    await client.call('containerd.services.diff.v1.Diff/Apply', { diff: layer, mounts }, { lease, deadlineMs });
    await client.call(`${snapshots}/Commit`, { snapshotter, key, name: chain }, { lease });
  } catch (error) {
    await client.call(`${snapshots}/Remove`, { snapshotter, key }).catch(() => {});
    if (!isFault(error, 'conflict')) throw error;
  }
}
