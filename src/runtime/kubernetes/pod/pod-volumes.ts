import type { V1Volume, V1VolumeMount } from '@kubernetes/client-node';
import type { WorkloadSpec } from '../../container-runtime.ts';
import { ownedSecretNames } from './owned-secret-names.ts';

type Mounting = Pick<WorkloadSpec, 'uuid' | 'mounts'>;

/** Any user of the container reads them, as under Docker. */
const contentMode = 0o644;

/**
 * The volumes of a Pod with these containers: each claim once, however many mount it, and a Secret for each container that has `content`
 * mounts. Pure.
 */
export function podVolumes(specs: Mounting[]): V1Volume[] {
  const claims = claimNames(specs).map((claimName, index) => ({
    name: claimVolume(index),
    persistentVolumeClaim: { claimName },
  }));
  const contents = specs
    .filter(({ mounts }) => mounts.some(({ kind }) => kind === 'content'))
    .map(({ uuid }) => ({
      name: contentVolume(uuid),
      secret: { secretName: ownedSecretNames.content(uuid), defaultMode: contentMode },
    }));
  return [...claims, ...contents];
}

/**
 * Where one container of that Pod (`specs`: all of them) sees them. Files of `content` mounts are keys 0, 1, … of its Secret; Kubernetes
 * mounts those read-only, where Docker's could be written to.
 */
export function volumeMounts(spec: Mounting, specs: Mounting[]): V1VolumeMount[] {
  const claims = claimNames(specs);
  let contents = 0;
  return spec.mounts.map((mount) => {
    if (mount.kind === 'content') {
      return { name: contentVolume(spec.uuid), mountPath: mount.destination, subPath: String(contents++), readOnly: true };
    }
    const name = claimVolume(claims.indexOf(mount.source));
    return { name, mountPath: mount.destination, ...(mount.readOnly ? { readOnly: true } : {}) };
  });
}

function claimNames(specs: Mounting[]): string[] {
  const sources = specs.flatMap(({ mounts }) => mounts.flatMap((mount) => (mount.kind === 'volume' ? [mount.source] : [])));
  return [...new Set(sources)];
}

const claimVolume = (index: number): string => `claim-${index}`;
const contentVolume = (uuid: string): string => `content-${uuid}`;
