import type { Ids } from '../../../telemetry/ids.ts';
import { isFault } from '../../runtime-fault.ts';
import type { ContainerdClient } from './containerd-client.ts';
import type { ImageMessage } from './containerd-messages.ts';
import { sizeOf } from './image-manifest.ts';
import { imageOfContainer } from './image-of-container.ts';
import { allImages } from './image-records.ts';
import { localManifest } from './local-manifest.ts';
import type { NodeImage } from './node-access.ts';
import { whilePaused } from './task-operations.ts';

/** See `NodeAccess.keep`. The container goes on meanwhile if it runs. */
export function keepContainer(
  client: ContainerdClient,
  ids: Ids,
  asked: { containerId: string; image: string; baseImage: string },
): Promise<NodeImage> {
  return imageOfContainer(client, ids, { ...asked, kept: true, whileReading: (read) => read() });
}

/** See `NodeAccess.commit`. */
export function commitContainer(
  client: ContainerdClient,
  ids: Ids,
  { repository, tag, ...asked }: { containerId: string; baseImage: string; repository: string; tag: string },
): Promise<NodeImage> {
  const image = `${repository}:${tag}`;
  return imageOfContainer(client, ids, {
    ...asked,
    image,
    kept: false,
    whileReading: (read) => whilePaused(client, asked.containerId, read),
  });
}

/** Every image whose configuration is on the node, with all its names. */
export async function listImages(client: ContainerdClient): Promise<NodeImage[]> {
  const byManifest = Map.groupBy(await allImages(client), ({ target }) => target.digest);
  const images = await Promise.all([...byManifest.values()].map((named) => nodeImage(client, named)));
  return images.flatMap((image) => image ?? []);
}

async function nodeImage(client: ContainerdClient, named: ImageMessage[]): Promise<NodeImage | null> {
  const names = named.map(({ name }) => name).filter((name) => !name.startsWith('sha256:'));
  try {
    const [image] = named;
    const { manifest } = await localManifest(client, image as ImageMessage);
    return { id: manifest.config.digest, names: names.sort(), sizeBytes: sizeOf(manifest) };
  } catch (error) {
    // Its content came or went meanwhile.
    if (isFault(error, 'not-found')) return null;
    throw error;
  }
}
