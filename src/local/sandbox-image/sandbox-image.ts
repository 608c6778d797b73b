import { createHash } from 'node:crypto';
import { pack } from 'tar-stream';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import type { ImageStore } from '../../runtime/image-store.ts';
import { RuntimeFault } from '../../runtime/runtime-fault.ts';
import type { ContainerImage } from '../busybox-image/container-image.ts';
import { imageArchive } from '../busybox-image/image-archive.ts';
import { pauseProgram } from './pause-program.ts';

/** Docker and Podman both keep a name of the domain `localhost` as it is. */
const reference = 'localhost/zun/sandbox:1';

/**
 * Answers a function that makes sure the node holds the image of capsules' sandboxes, and answers its reference. The image is built
 * here (`/bin/pause` and nothing else), so that capsules need no registry. Fails with `unsupported` on an architecture without it.
 */
export function sandboxImage(
  runtime: Pick<ContainerRuntime, 'describeNode'>,
  images: Pick<ImageStore, 'find' | 'load'>,
): (signal?: AbortSignal) => Promise<string> {
  return async (signal) => {
    if ((await images.find(reference, signal)) !== null) return reference;
    const { architecture } = await runtime.describeNode(signal);
    const program = pauseProgram(architecture);
    if (!program) throw new RuntimeFault('unsupported', `There is no sandbox image for nodes of architecture ${architecture}.`);
    await images.load(await imageArchive(await pauseImage(program, architecture), [reference]), signal);
    return reference;
  };
}

/** The same bytes for the same program, so that the image's id is too. */
export async function pauseImage(program: Buffer, architecture: string): Promise<ContainerImage> {
  const tar = pack();
  const mtime = new Date(0);
  tar.entry({ name: 'bin/', type: 'directory', mode: 0o755, mtime });
  tar.entry({ name: 'bin/pause', mode: 0o755, mtime }, program);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  const layer = Buffer.concat(chunks);
  return { layers: [layer], config: imageConfig(layer, architecture) };
}

function imageConfig(layer: Buffer, architecture: string): Buffer {
  const created = '1970-01-01T00:00:00Z';
  return Buffer.from(
    JSON.stringify({
      architecture: ({ x86_64: 'amd64', aarch64: 'arm64' } as Record<string, string>)[architecture] ?? architecture,
      os: 'linux',
      created,
      // As PID 1 it would not heed SIGTERM, and an engine that shuts down would wait for it.
      config: { Entrypoint: ['/bin/pause'], StopSignal: 'SIGKILL' },
      rootfs: { type: 'layers', diff_ids: [`sha256:${createHash('sha256').update(layer).digest('hex')}`] },
      history: [{ created, created_by: 'zun' }],
    }),
  );
}
