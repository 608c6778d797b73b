import type { RequestContext } from '../../api/request-context.ts';
import { invalid, invalidParameterValue, volumeInUse } from '../../errors/catalogue.ts';
import { booleanFromString } from '../../rules/boolean-from-string.ts';
import type { CapsuleVolumeSpec } from '../../rules/capsule-volume-spec.ts';
import type { CapsuleServices } from './capsule-services.ts';
import type { CapsuleVolumeDraft } from './capsule-volume-store.ts';
import type { VolumeMount } from './member-draft.ts';

/**
 * Resolves a template's volumes: existing ones must be free, and each must be mounted somewhere (400). Nothing is made yet. A mount
 * of a volume that the template does not name is passed over, as in the original.
 * Origin: zun/api/controllers/v1/capsules.py, _build_requested_volumes.
 */
export async function requestedCapsuleVolumes(
  { volumes, ids }: Pick<CapsuleServices, 'volumes' | 'ids'>,
  context: RequestContext,
  specs: CapsuleVolumeSpec[],
  members: readonly { uuid: string; mounts: VolumeMount[] }[],
): Promise<CapsuleVolumeDraft[]> {
  const drafts: CapsuleVolumeDraft[] = [];
  for (const { name, cinder } of specs) {
    const mounts = members.flatMap(({ uuid, mounts: wanted }) =>
      wanted
        .filter((mount) => mount.name === name)
        .map(({ mountPath, readOnly }) => ({ mappingUuid: ids.uuid(), containerUuid: uuid, destination: mountPath, readOnly })),
    );
    const volumeUuid = ids.uuid();
    if (cinder.volumeID) {
      const volume = await volumes.find(cinder.volumeID, context.projectId);
      if (volume.status !== 'available') throw volumeInUse(volume.id);
      drafts.push({ volumeUuid, cinderVolumeId: volume.id, autoRemove: false, sizeGiB: null, mounts });
    } else {
      const autoRemove = booleanFromString(cinder.autoRemove ?? false, 'autoRemove');
      drafts.push({ volumeUuid, cinderVolumeId: null, autoRemove, sizeGiB: sizeOf(cinder.size), mounts });
    }
    if (mounts.length === 0) throw invalid('volume mount parameters is invalid.');
  }
  return drafts;
}

function sizeOf(size: unknown): number {
  const gib = Number(size);
  if (!Number.isInteger(gib) || gib < 1)
    throw invalidParameterValue(`Invalid value '${size}' for volumes size: whole GiB, at least 1, are wanted.`);
  return gib;
}
