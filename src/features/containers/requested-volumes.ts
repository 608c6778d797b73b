import type { RequestContext } from '../../api/request-context.ts';
import { invalidParameterValue, volumeInUse } from '../../errors/catalogue.ts';
import { decodeFileData } from '../../rules/file-data.ts';
import type { Ids } from '../../telemetry/ids.ts';
import type { Volumes } from '../../volumes/volumes.ts';
import type { ContainerVolume } from './container-volumes.ts';

/** One entry of `mounts` as the schema lets it through. */
export interface MountRequest {
  type?: string;
  source?: string;
  size?: string | number;
  destination: string;
}

/** A row to be, and its size when the volume is still to be made. */
export type VolumeDraft = Omit<ContainerVolume, 'volumeRowId'> & { mappingUuid: string; sizeGiB: number | null };

/**
 * Resolves what a request says of mounts; existing volumes must be free. Nothing is made yet.
 * Origin: zun/api/controllers/v1/containers.py (_build_requested_volumes).
 */
export async function requestedVolumes(
  volumes: Volumes,
  ids: Ids,
  context: RequestContext,
  mounts: MountRequest[],
): Promise<VolumeDraft[]> {
  const drafts: VolumeDraft[] = [];
  for (const mount of mounts) {
    const common = { volumeUuid: ids.uuid(), mappingUuid: ids.uuid(), destination: absolutePath(mount.destination) };
    const type = mount.type ?? 'volume';
    if (type === 'bind') {
      decodeFileData(mount.source ?? '');
      drafts.push({ ...common, provider: 'local', cinderVolumeId: null, autoRemove: false, contents: mount.source ?? '', sizeGiB: null });
    } else if (type !== 'volume') {
      throw invalidParameterValue(`Invalid value '${type}' for mounts type: 'volume' or 'bind' is wanted.`);
    } else if (mount.source) {
      const volume = await volumes.find(mount.source, context.projectId);
      if (volume.status !== 'available') throw volumeInUse(volume.id);
      drafts.push({ ...common, provider: 'cinder', cinderVolumeId: volume.id, autoRemove: false, contents: null, sizeGiB: null });
    } else {
      drafts.push({ ...common, provider: 'cinder', cinderVolumeId: null, autoRemove: true, contents: null, sizeGiB: sizeOf(mount.size) });
    }
  }
  return drafts;
}

function absolutePath(destination: string): string {
  if (!destination.startsWith('/'))
    throw invalidParameterValue(`Invalid value '${destination}' for mounts destination: an absolute path is wanted.`);
  return destination;
}

function sizeOf(size: string | number | undefined): number {
  const gib = Number(size);
  if (!Number.isInteger(gib) || gib < 1)
    throw invalidParameterValue(`Invalid value '${size}' for mounts size: whole GiB, at least 1, are wanted.`);
  return gib;
}
