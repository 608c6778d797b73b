import type { Ids } from '../../../telemetry/ids.ts';
import { type BaseImage, baseImage } from './base-image.ts';
import { containerChanges } from './container-changes.ts';
import { containerLayer } from './container-layer.ts';
import type { ContainerdClient } from './containerd-client.ts';
import { blobSize, writeBlob } from './content-blobs.ts';
import { chainId, type ImageConfig, type ImageManifest, mediaTypesOf, sizeOf } from './image-manifest.ts';
import { storedName } from './image-name.ts';
import { nameImage } from './image-records.ts';
import type { NodeImage } from './node-access.ts';
import { requireContainer } from './node-container.ts';
import { unpackLayer } from './unpack-layer.ts';
import { withLease } from './with-lease.ts';

export interface ImageOfContainer {
  containerId: string;
  /** Name of the new image. */
  image: string;
  baseImage: string;
  /** A kept image is for this node: uncompressed, not collected while it has its name, and its layer is no base of the next one. */
  kept: boolean;
  /** Around the only part that reads the container's files: to pause it meanwhile. */
  whileReading<T>(read: () => Promise<T>): Promise<T>;
}

/** Makes an image of a container's filesystem, with the base image's configuration, and unpacks it. See `NodeAccess`, `keep` and `commit`. */
export async function imageOfContainer(client: ContainerdClient, ids: Ids, asked: ImageOfContainer): Promise<NodeImage> {
  const container = await requireContainer(client, asked.containerId);
  const found = await baseImage(client, container, asked.baseImage);
  // A kept image needs what its layers unpacked to; another has to be complete, for it goes elsewhere.
  const base = asked.kept || (await isComplete(client, found)) ? found : withoutLayers(found);
  const { snapshotter } = container;
  return withLease(client, ids, async (lease) => {
    const changes = await asked.whileReading(() => containerChanges(client, container, base, lease));
    const types = mediaTypesOf(base.mediaType);
    const { diffId, ...blob } = await containerLayer(client, container, changes, {
      lease,
      compressed: !asked.kept,
      isWhole: base.chain === '',
    });
    const layer = { mediaType: asked.kept ? types.layer : types.compressedLayer, ...blob };
    const chain = chainId([...base.config.rootfs.diff_ids, diffId]);
    await unpackLayer(client, { snapshotter, parent: base.chain, chain, layer, lease });
    const config = await writeJson(client, lease, configOver(base, diffId, client.clock.now()), {
      [`containerd.io/gc.ref.snapshot.${snapshotter}`]: chain,
    });
    const manifest: ImageManifest = {
      ...base.manifest,
      mediaType: types.manifest,
      config: { ...base.manifest.config, ...config },
      layers: [...base.manifest.layers, layer],
    };
    const target = { mediaType: types.manifest, ...(await writeJson(client, lease, manifest, references(manifest))) };
    const baseLayers = asked.kept ? base.manifest.layers.length : null;
    await nameImage(client, { name: asked.image, id: config.digest, target, baseLayers });
    return { id: config.digest, names: [storedName(asked.image)], sizeBytes: sizeOf(manifest) };
  });
}

/** containerd does not fetch a layer whose snapshot it has, and may throw layers away once they are unpacked. */
async function isComplete(client: ContainerdClient, { manifest }: BaseImage): Promise<boolean> {
  for (const { digest } of manifest.layers) if ((await blobSize(client, digest)) === null) return false;
  return true;
}

/** The base of an image that has the whole filesystem as its only layer. */
function withoutLayers(base: BaseImage): BaseImage {
  const config = { ...base.config, rootfs: { ...base.config.rootfs, diff_ids: [] }, history: [] };
  return { ...base, manifest: { ...base.manifest, layers: [] }, config, chain: '' };
}

function configOver({ config }: BaseImage, diffId: string, now: number): ImageConfig {
  const created = new Date(now).toISOString();
  return {
    ...config,
    created,
    rootfs: { ...config.rootfs, diff_ids: [...config.rootfs.diff_ids, diffId] },
    history: [...(config.history ?? []), { created, comment: 'zun' }],
  };
}

/** What containerd may not collect while it holds the manifest. */
function references({ config, layers }: ImageManifest): Record<string, string> {
  const ofLayers = layers.map(({ digest }, index) => [`containerd.io/gc.ref.content.l.${index}`, digest] as const);
  return { 'containerd.io/gc.ref.content.config': config.digest, ...Object.fromEntries(ofLayers) };
}

function writeJson(client: ContainerdClient, lease: string, value: object, labels: Record<string, string>) {
  const content = Buffer.from(JSON.stringify(value));
  return writeBlob(client, { lease, ref: `${lease}-${Object.keys(labels)[0]}`, labels }, [content]);
}
