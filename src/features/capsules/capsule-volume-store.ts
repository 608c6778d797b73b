import type { Queries } from '../../db/database.ts';
import { insertReturningId } from '../../db/insert-returning-id.ts';
import { type ContainerVolume, volumesOfContainer } from '../containers/container-volumes.ts';

/** A volume of a capsule to be, with the places where its containers mount it. */
export interface CapsuleVolumeDraft {
  volumeUuid: string;
  /** The block volume's id; `null` while it is to be made. */
  cinderVolumeId: string | null;
  autoRemove: boolean;
  /** GiB of a volume to be made. */
  sizeGiB: number | null;
  mounts: { mappingUuid: string; containerUuid: string; destination: string; readOnly: boolean }[];
}

/** Adds a volume row and a mapping for each place where it is mounted. */
export async function insertCapsuleVolume(
  queries: Queries,
  owner: { projectId: string; userId: string; host: string | null },
  volume: CapsuleVolumeDraft,
): Promise<void> {
  const common = { project_id: owner.projectId, user_id: owner.userId };
  const id = await insertReturningId(queries, 'volume', {
    ...common,
    uuid: volume.volumeUuid,
    cinder_volume_id: volume.cinderVolumeId,
    volume_provider: 'cinder',
    host: owner.host,
    auto_remove: volume.autoRemove,
    contents: null,
  });
  for (const mount of volume.mounts) {
    await queries
      .insertInto('volume_mapping')
      .values({
        ...common,
        uuid: mount.mappingUuid,
        container_uuid: mount.containerUuid,
        container_path: mount.destination,
        volume_id: id,
      })
      .execute();
  }
}

/** The volumes of several containers, each volume once. */
export async function volumesOfMembers(queries: Queries, members: readonly { uuid: string }[]): Promise<ContainerVolume[]> {
  const volumes = new Map<string, ContainerVolume>();
  for (const { uuid } of members) {
    for (const volume of await volumesOfContainer(queries, uuid)) volumes.set(volume.volumeUuid, volume);
  }
  return [...volumes.values()];
}
