import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildBusyboxImage } from '../../src/local/busybox-image/build-busybox-image.ts';
import { imageArchive } from '../../src/local/busybox-image/image-archive.ts';
import { pauseProgram } from '../../src/local/sandbox-image/pause-program.ts';
import { pauseImage } from '../../src/local/sandbox-image/sandbox-image.ts';
import { pushImage } from '../system/engine/push-image.ts';
import { registry } from './cluster-facts.ts';
import type { Inside } from './inside.ts';

/**
 * Puts the images `busybox:1` and `pause:1` into the node's store and into the registry, which is reached on `registryPort` from
 * outside. busybox serves "hello" from `/www`; its `wget` crashes in Pods, `nc` does not.
 */
export async function provideImages(inside: Inside, folder: string, registryPort: number): Promise<void> {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const program = pauseProgram(architecture);
  if (!program) throw new Error(`there is no pause program for ${architecture}`);
  const images = {
    pause: await pauseImage(program, architecture),
    busybox: await buildBusyboxImage({ files: { '/www/index.html': 'hello\n' } }),
  };
  for (const [name, image] of Object.entries(images)) {
    const archive = path.join(folder, `${name}.tar`);
    await writeFile(archive, await imageArchive(image, [`${registry}/${name}:1`]));
    await inside.runWell('ctr', '-n', 'k8s.io', 'images', 'import', archive);
    await pushImage(`127.0.0.1:${registryPort}`, name, '1', image);
  }
}
