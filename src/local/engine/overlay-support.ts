import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether the kernel mounts an overlay whose layers lie in the folder; not so on an overlay, or without the right to mount. */
export async function supportsOverlay(folder: string): Promise<boolean> {
  const trial = await mkdtemp(join(folder, 'overlay-trial-'));
  const [lower, upper, work, merged] = ['lower', 'upper', 'work', 'merged'].map((name) => join(trial, name)) as [
    string,
    string,
    string,
    string,
  ];
  try {
    for (const path of [lower, upper, work, merged]) await mkdir(path);
    await run('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=${lower},upperdir=${upper},workdir=${work}`, merged]);
    await run('umount', [merged]);
    return true;
  } catch {
    return false;
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}
