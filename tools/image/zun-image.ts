import { createHash } from 'node:crypto';
import type { ContainerImage } from '../../src/local/busybox-image/container-image.ts';
import type { ImageFile } from './image-file.ts';
import { nodeFiles } from './node-files.ts';
import { packLayer } from './pack-layer.ts';
import { productionPackages } from './production-packages.ts';
import { packageFiles, programFiles } from './program-files.ts';
import { programFolder } from './program-folder.ts';
import { imageUser, systemFiles } from './system-files.ts';

/** Where an image is made from. */
export interface ZunImageSource {
  /** The checkout. */
  root: string;
  /** The Node that the image gets; its libraries are this machine's. */
  node: string;
  /** A folder outside the checkout that keeps the installed packages. */
  cache: string;
}

/**
 * The image of all programs, made from a checkout and a Node without a base image. Three layers: Node and its libraries, the packages, the
 * programs; an upgrade of Zun brings the last one or two.
 */
export async function zunImage({ root, node, cache }: ZunImageSource): Promise<ContainerImage> {
  const packages = await packageFiles(await productionPackages(root, cache));
  return imageOf([[...systemFiles, ...(await nodeFiles(node))], packages, await programFiles(root)], {
    User: `${imageUser}:${imageUser}`,
    Env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/var/lib/zun'],
    Entrypoint: ['/usr/local/bin/zun'],
    WorkingDir: programFolder,
  });
}

/** Packs layers, the lowest first. `config` is the `config` object of the image configuration. */
export async function imageOf(layers: ImageFile[][], config: Record<string, unknown>): Promise<ContainerImage> {
  const packed: Buffer[] = [];
  for (const files of layers) packed.push(await packLayer(files));
  const created = '1970-01-01T00:00:00Z';
  const configuration = {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    created,
    config,
    rootfs: { type: 'layers', diff_ids: packed.map((layer) => `sha256:${createHash('sha256').update(layer).digest('hex')}`) },
    history: packed.map(() => ({ created })),
  };
  return { layers: packed, config: Buffer.from(JSON.stringify(configuration)) };
}
