import path from 'node:path';
import { layOutFiles } from './image/lay-out-files.ts';
import { productionPackages } from './image/production-packages.ts';
import { packageFiles, programFiles } from './image/program-files.ts';
import { systemFiles } from './image/system-files.ts';

/**
 * `node tools/lay-out-image.ts FOLDER CACHE`: the same files as `build-image.ts` packs, without Node, in a folder: what
 * `deploy/Containerfile` puts on a base image. Needs no installed packages.
 */
async function main([folder, cache]: string[]): Promise<void> {
  if (folder === undefined || cache === undefined) throw new Error('two folders are wanted: what to write, and where to install packages');
  const root = path.dirname(import.meta.dirname);
  const packages = await packageFiles(await productionPackages(root, cache));
  await layOutFiles([...systemFiles, ...packages, ...(await programFiles(root))], folder);
}

await main(process.argv.slice(2));
