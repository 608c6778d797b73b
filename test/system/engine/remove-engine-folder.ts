import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { until } from './until.ts';

/**
 * Removes a folder in which a Podman of its own has been, which has ended. What cleans up after its last containers may still write there, or have
 * its store mounted, and is through in a moment.
 */
export async function removeEngineFolder(folder: string): Promise<void> {
  await until(`${folder} is removed`, async () => {
    const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
    // What is mounted in another goes first.
    const ours = mounts.filter((mount) => mount.startsWith(`${folder}/`)).toReversed();
    for (const mount of ours) await promisify(execFile)('umount', [mount]);
    await rm(folder, { recursive: true, force: true });
    return true;
  });
}
