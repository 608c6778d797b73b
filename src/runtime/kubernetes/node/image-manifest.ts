import { createHash } from 'node:crypto';
import type { Descriptor } from './containerd-messages.ts';

/** A descriptor as manifests spell it. */
export interface ManifestEntry {
  mediaType: string;
  digest: string;
  size: number;
}

/** Of one platform; members that are not named here are kept. */
export interface ImageManifest {
  schemaVersion: 2;
  mediaType?: string;
  config: ManifestEntry;
  layers: ManifestEntry[];
}

/** Of several platforms. */
export interface ImageIndex {
  manifests: ManifestEntry[];
}

/** Members that are not named here are kept. */
export interface ImageConfig {
  created?: string;
  rootfs: { type: string; diff_ids: string[] };
  history?: { created?: string; comment?: string; empty_layer?: boolean }[];
}

const oci = 'application/vnd.oci.image.';
const docker = 'application/vnd.docker.';

/** Whether the descriptor is of an image for several platforms. */
export const isIndex = ({ mediaType }: Descriptor | ManifestEntry): boolean =>
  [`${oci}index.v1+json`, `${docker}distribution.manifest.list.v2+json`].includes(mediaType);

/** The types that go with a manifest's own, which may not say it. */
export function mediaTypesOf(manifestType: string): { manifest: string; layer: string; compressedLayer: string } {
  if (manifestType.startsWith(docker)) {
    const layer = `${docker}image.rootfs.diff.tar`;
    return { manifest: `${docker}distribution.manifest.v2+json`, layer, compressedLayer: `${layer}.gzip` };
  }
  const layer = `${oci}layer.v1.tar`;
  return { manifest: `${oci}manifest.v1+json`, layer, compressedLayer: `${layer}+gzip` };
}

/** The name of the snapshot that these layers, from the lowest on, make; '' for none. Origin: OCI image specification, layer ChainID. */
export function chainId(diffIds: string[]): string {
  const [first = '', ...others] = diffIds;
  return others.reduce((chain, diffId) => `sha256:${createHash('sha256').update(`${chain} ${diffId}`).digest('hex')}`, first);
}

/** Of an image as it is stored: layers and configuration. */
export const sizeOf = ({ config, layers }: ImageManifest): number =>
  [config, ...layers].reduce((total: number, { size }: ManifestEntry) => total + size, 0);
