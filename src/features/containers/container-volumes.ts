import type { Queries } from '../../db/database.ts';
import { insertReturningId } from '../../db/insert-returning-id.ts';

/** A mapping with its volume, as `volume_mapping` joined with `volume` says. */
export interface ContainerVolume {
  volumeRowId: number;
  volumeUuid: string;
  /** The block volume's id, once it exists. */
  cinderVolumeId: string | null;
  provider: 'cinder' | 'local';
  /** Made for this container: goes when it goes. */
  autoRemove: boolean;
  /** Base64 or text of a bind mount's file. */
  contents: string | null;
  destination: string;
}

/** The volumes of a container in the order they were asked for. */
export async function volumesOfContainer(queries: Queries, containerUuid: string): Promise<ContainerVolume[]> {
  const rows = await queries
    .selectFrom('volume_mapping')
    .innerJoin('volume', 'volume.id', 'volume_mapping.volume_id')
    .select([
      'volume.id as volumeRowId',
      'volume.uuid as volumeUuid',
      'volume.cinder_volume_id as cinderVolumeId',
      'volume.volume_provider as provider',
      'volume.auto_remove as autoRemove',
      'volume.contents as contents',
      'volume_mapping.container_path as destination',
    ])
    .where('volume_mapping.container_uuid', '=', containerUuid)
    .orderBy('volume_mapping.id')
    .execute();
  return rows.map((row) => ({
    ...row,
    provider: row.provider === 'local' ? 'local' : 'cinder',
    autoRemove: Boolean(row.autoRemove),
    destination: row.destination ?? '',
  }));
}

/** Records the block volume that was made for a volume row. */
export async function setBlockVolume(queries: Queries, volumeUuid: string, cinderVolumeId: string): Promise<void> {
  await queries.updateTable('volume').set({ cinder_volume_id: cinderVolumeId }).where('uuid', '=', volumeUuid).execute();
}

/** Adds a volume row and its mapping. `volume.host` is the node that attaches it. */
export async function insertContainerVolume(
  queries: Queries,
  owner: { containerUuid: string; projectId: string; userId: string; host: string | null },
  volume: Omit<ContainerVolume, 'volumeRowId'> & { mappingUuid: string },
): Promise<void> {
  const volumeRowId = await insertReturningId(queries, 'volume', {
    uuid: volume.volumeUuid,
    project_id: owner.projectId,
    user_id: owner.userId,
    cinder_volume_id: volume.cinderVolumeId,
    volume_provider: volume.provider,
    host: owner.host,
    auto_remove: volume.autoRemove,
    contents: volume.contents,
  });
  await queries
    .insertInto('volume_mapping')
    .values({
      uuid: volume.mappingUuid,
      project_id: owner.projectId,
      user_id: owner.userId,
      container_uuid: owner.containerUuid,
      container_path: volume.destination,
      volume_id: volumeRowId,
    })
    .execute();
}

/** Removes a container's mappings and the volume rows that nothing maps any more. */
export async function deleteContainerVolumes(queries: Queries, containerUuid: string): Promise<void> {
  const volumes = await volumesOfContainer(queries, containerUuid);
  await queries.deleteFrom('volume_mapping').where('container_uuid', '=', containerUuid).execute();
  const ids = volumes.map((volume) => volume.volumeRowId);
  if (ids.length === 0) return;
  await queries
    .deleteFrom('volume')
    .where('id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('volume_mapping').select('volume_mapping.id').whereRef('volume_mapping.volume_id', '=', 'volume.id'))),
    )
    .execute();
}
