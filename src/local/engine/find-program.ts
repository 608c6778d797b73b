import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders in which Debian and its kin put programs, in case the PATH of a service lacks some. */
const usualFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Absolute path of a program, or `null`. `path` is the PATH variable's value. */
export async function findProgram(name: string, path: string | undefined): Promise<string | null> {
  for (const folder of [...(path ?? '').split(':').filter((part) => part.startsWith('/')), ...usualFolders]) {
    const candidate = join(folder, name);
    const usable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return candidate;
  }
  return null;
}
