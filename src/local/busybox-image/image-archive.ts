import { createHash } from 'node:crypto';
import { pack } from 'tar-stream';
import type { ContainerImage } from './container-image.ts';

/** The image as a docker-archive tar, which `POST /images/load` of Docker and Podman take. `references` are `repository:tag`. */
export async function imageArchive(image: ContainerImage, references: string[]): Promise<Buffer> {
  const configName = `${createHash('sha256').update(image.config).digest('hex')}.json`;
  // A layer that is in the image twice is in the archive once.
  const layers = image.layers.map((layer): [string, Buffer] => [`${createHash('sha256').update(layer).digest('hex')}.tar`, layer]);
  const manifest = [{ Config: configName, RepoTags: references, Layers: layers.map(([name]) => name) }];
  const tar = pack();
  const mtime = new Date(0);
  tar.entry({ name: configName, mtime }, image.config);
  for (const [name, layer] of new Map(layers)) tar.entry({ name, mtime }, layer);
  tar.entry({ name: 'manifest.json', mtime }, JSON.stringify(manifest));
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
