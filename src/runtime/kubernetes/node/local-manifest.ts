import { isFault, RuntimeFault } from '../../runtime-fault.ts';
import type { ContainerdClient } from './containerd-client.ts';
import type { ImageMessage } from './containerd-messages.ts';
import { readBlob, readJsonBlob } from './content-blobs.ts';
import { type ImageIndex, type ImageManifest, isIndex, type ManifestEntry } from './image-manifest.ts';

/** A manifest as it is stored, and read. */
export interface LocalManifest {
  content: Buffer;
  mediaType: string;
  manifest: ImageManifest;
}

/** The manifests that an image has, by platform. Not all need be on the node. */
export async function manifestsOf(client: ContainerdClient, { target }: ImageMessage): Promise<ManifestEntry[]> {
  return isIndex(target) ? (await readJsonBlob<ImageIndex>(client, target.digest)).manifests : [target];
}

/** The first manifest of an image whose configuration is on the node: that of the node's platform. Fault `not-found`. */
export async function localManifest(client: ContainerdClient, image: ImageMessage): Promise<LocalManifest> {
  for (const { digest, mediaType } of await manifestsOf(client, image)) {
    try {
      const content = await readBlob(client, digest);
      const manifest = JSON.parse(content.toString('utf8')) as ImageManifest;
      await readBlob(client, manifest.config.digest);
      return { content, mediaType, manifest };
    } catch (error) {
      if (!isFault(error, 'not-found')) throw error;
    }
  }
  throw new RuntimeFault('not-found', `Of image ${image.name} the node holds the name only.`);
}
