import { isPart, type TemplatePart } from './capsule-template.ts';
import { invalidCapsuleTemplate } from './capsule-template-error.ts';

/** A volume of a capsule's spec: an existing one by its id, or one to be made by its size. */
export interface CapsuleVolumeSpec {
  name: string;
  cinder: { volumeID?: string; size?: number; autoRemove?: boolean | string };
}

/**
 * The volumes of a capsule's spec. 400 for one without a name, with both or neither of id and size, or of another kind than Cinder's.
 * Origin: zun/common/utils.py, capsule_get_volume_spec.
 */
export function capsuleVolumeSpecs(spec: TemplatePart): CapsuleVolumeSpec[] {
  const volumes = spec.volumes ?? [];
  if (!Array.isArray(volumes)) throw invalidCapsuleTemplate('volumes has to be a list');
  return volumes.map((volume) => {
    if (!isPart(volume) || volume.name === undefined || volume.name === null) throw invalidCapsuleTemplate('Volume name is needed');
    const { cinder } = volume;
    // An empty object counts as none, as in Python.
    if (!isPart(cinder) || Object.keys(cinder).length === 0) throw invalidCapsuleTemplate('Zun now Only support Cinder volume driver');
    if (!cinder.volumeID && (cinder.size === undefined || cinder.size === null)) throw invalidCapsuleTemplate('Volume size is needed');
    if (cinder.volumeID && cinder.size) throw invalidCapsuleTemplate('Volume size and uuid could not be set at the same time');
    return volume as unknown as CapsuleVolumeSpec;
  });
}
