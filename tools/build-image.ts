import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readEnvironment } from '../src/config/environment.ts';
import { imageArchive } from '../src/local/busybox-image/image-archive.ts';
import { zunImage } from './image/zun-image.ts';

/**
 * `node tools/build-image.ts --output zun.tar [--reference zun:0.1.0]`: writes the image as an archive that `ctr images import`,
 * `docker load`, `podman load` and `skopeo copy docker-archive:…` take. Its Node is the one that runs this.
 */
async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { output: { type: 'string' }, reference: { type: 'string', default: 'localhost/zun:latest' } },
  });
  if (values.output === undefined) throw new Error('--output is missing: the file to write');
  const cache = path.join(readEnvironment().all.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'zun-image');
  const image = await zunImage({ root: path.dirname(import.meta.dirname), node: process.execPath, cache });
  await writeFile(values.output, await imageArchive(image, [values.reference]));
  const sizes = image.layers.map((layer) => `${(layer.length / 1e6).toFixed(1)} MB`);
  console.log(`${values.reference} sha256:${createHash('sha256').update(image.config).digest('hex')} (${sizes.join(' + ')})`);
}

await main(process.argv.slice(2));
