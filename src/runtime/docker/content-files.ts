import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkloadMount } from '../container-runtime.ts';
import type { ContentBind } from './container-body.ts';

/**
 * The files behind `content` mounts: `<folder>/<uuid>/<index>`. A file is 0644, so that any user of the container reads it; the
 * folder is 0700, so that on the host only the service does.
 */
export class ContentFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(uuid: string, mounts: WorkloadMount[]): Promise<ContentBind[]> {
    const binds: ContentBind[] = [];
    for (const [index, mount] of mounts.entries()) {
      if (mount.kind !== 'content') continue;
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await mkdir(join(this.#folder, uuid), { recursive: true });
      const source = join(this.#folder, uuid, String(index));
      await writeFile(source, mount.content);
      // The umask may have taken bits away.
      await chmod(source, 0o644);
      binds.push({ source, destination: mount.destination });
    }
    return binds;
  }

  async remove(uuid: string): Promise<void> {
    await rm(join(this.#folder, uuid), { recursive: true, force: true });
  }
}
