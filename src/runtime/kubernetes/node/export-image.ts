import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { RuntimeFault } from '../../runtime-fault.ts';
import type { ContainerdClient } from './containerd-client.ts';
import { blobSize } from './content-blobs.ts';
import type { ImageManifest } from './image-manifest.ts';
import { storedName } from './image-name.ts';
import { requireImage } from './image-records.ts';
import { localManifest } from './local-manifest.ts';

/**
 * An image of the node as a docker-archive tar, as of `docker save`: the configuration, the layers as they are stored, which readers unpack
 * whether compressed or not, and `manifest.json`. Fault `not-found`, or what the stream ends with.
 */
export async function exportImage(client: ContainerdClient, image: string): Promise<AsyncIterable<Buffer>> {
  const { manifest } = await localManifest(client, await requireImage(client, image));
  const archive = pack();
  fill(archive, client, manifest, storedName(image)).catch((error) => archive.destroy(error));
  return archive as AsyncIterable<Buffer>;
}

async function fill(archive: Pack, client: ContainerdClient, { config, layers }: ImageManifest, name: string): Promise<void> {
  const fileOf = (digest: string) => digest.replace('sha256:', '');
  const configFile = `${fileOf(config.digest)}.json`;
  const layerFiles = layers.map(({ digest }) => `${fileOf(digest)}/layer.tar`);
  await copyBlob(archive, client, config.digest, configFile);
  const digests = new Map(layers.map(({ digest }, index) => [layerFiles[index] ?? '', digest]));
  for (const [file, digest] of digests) await copyBlob(archive, client, digest, file);
  archive.entry({ name: 'manifest.json' }, JSON.stringify([{ Config: configFile, RepoTags: [name], Layers: layerFiles }]));
  archive.finalize();
}

async function copyBlob(archive: Pack, client: ContainerdClient, digest: string, name: string): Promise<void> {
  const size = await blobSize(client, digest);
  if (size === null) throw new RuntimeFault('failed', `Layer ${digest} is not on the node: it was thrown away after unpacking.`);
  await pipeline(Readable.from(client.read(digest)), archive.entry({ name, size }));
}
