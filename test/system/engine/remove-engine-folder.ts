import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { until } from './until.ts';

/**
 * Removes a folder in which a Podman of its own has been, which has ended. What cleans up after its last containers may still have its store
 * mounted then, and lets go of it in a moment.
 */
export async function removeEngineFolder(folder: string): Promise<void> {
  await until(`nothing is mounted in ${folder}`, async () => {
    const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
    // What is mounted in another goes first.
    const ours = mounts.filter((mount) => mount.startsWith(`${folder}/`)).toReversed();
    for (const mount of ours) await promisify(execFile)('umount', [mount]);
    return true;
  });
  await rm(folder, { recursive: true, force: true });
}
