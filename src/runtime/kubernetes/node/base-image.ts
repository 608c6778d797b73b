import { isFault, RuntimeFault } from '../../runtime-fault.ts';
import type { ContainerdClient } from './containerd-client.ts';
import type { ContainerMessage, ImageMessage } from './containerd-messages.ts';
import { readJsonBlob } from './content-blobs.ts';
import { chainId, type ImageConfig, type ImageManifest, type ManifestEntry } from './image-manifest.ts';
import { baseLayersLabel, findImage } from './image-records.ts';
import { manifestsOf } from './local-manifest.ts';

/** The image that a container stands on, without the layer of a kept image. */
export interface BaseImage {
  manifest: ImageManifest;
  /** The manifest's own type, which it need not say. */
  mediaType: string;
  config: ImageConfig;
  /** Name of the snapshot of its layers; '' when it has none. */
  chain: string;
}

/**
 * The image by that name, for the platform that the container was made for: the one whose layers are below the container's snapshot. Where the name has come to
 * stand for another image, or is gone, it is the image that the kubelet made the container from. Fault `not-found`; `invalid` when neither is below it.
 */
export async function baseImage(client: ContainerdClient, container: ContainerMessage, name: string): Promise<BaseImage> {
  const below = await snapshotsBelow(client, container);
  const named = await findImage(client, name);
  const found = (named && (await baseAmong(client, named, below))) ?? (await startedFrom(client, container, below));
  if (found) return found;
  if (!named) throw new RuntimeFault('not-found', `No such image on the node: ${name}`);
  throw new RuntimeFault('invalid', `Container ${container.id} was not made from image ${name}.`);
}

async function baseAmong(client: ContainerdClient, image: ImageMessage, below: Set<string>): Promise<BaseImage | null> {
  for (const entry of await manifestsOf(client, image)) {
    const base = await readBase(client, entry, image);
    if (base && below.has(base.chain)) return base;
  }
  return null;
}

async function startedFrom(client: ContainerdClient, { id }: ContainerMessage, below: Set<string>): Promise<BaseImage | null> {
  const { status } = await client.call('runtime.v1.RuntimeService/ContainerStatus', { containerId: id });
  const image = status && (await findImage(client, status.imageRef));
  return image && baseAmong(client, image, below);
}

async function readBase(client: ContainerdClient, entry: ManifestEntry, image: ImageMessage): Promise<BaseImage | null> {
  try {
    const manifest = await readJsonBlob<ImageManifest>(client, entry.digest);
    const config = await readJsonBlob<ImageConfig>(client, manifest.config.digest);
    // What signs or describes an image stands among the manifests of its platforms.
    if (!Array.isArray(config.rootfs?.diff_ids)) return null;
    const kept = image.labels[baseLayersLabel];
    const base = kept === undefined ? { manifest, config } : withoutKeptLayer(manifest, config, Number(kept));
    return { ...base, mediaType: entry.mediaType, chain: chainId(base.config.rootfs.diff_ids) };
  } catch (error) {
    if (isFault(error, 'not-found')) return null;
    throw error;
  }
}

function withoutKeptLayer(manifest: ImageManifest, config: ImageConfig, layers: number) {
  const rootfs = { ...config.rootfs, diff_ids: config.rootfs.diff_ids.slice(0, layers) };
  return {
    manifest: { ...manifest, layers: manifest.layers.slice(0, layers) },
    // The kept layer's line is the last of them.
    config: { ...config, rootfs, history: (config.history ?? []).slice(0, -1) },
  };
}

async function snapshotsBelow(client: ContainerdClient, { snapshotter, snapshotKey }: ContainerMessage): Promise<Set<string>> {
  const below = new Set<string>();
  for (let key = snapshotKey; ; ) {
    const { info } = await client.call('containerd.services.snapshots.v1.Snapshots/Stat', { snapshotter, key });
    below.add(info.parent);
    if (info.parent === '') return below;
    key = info.parent;
  }
}
