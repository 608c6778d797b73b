import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** A folder outside the tree that keeps what is costly to make (Python packages, root file systems) from one run to the next. */
export async function testCache(...names: string[]): Promise<string> {
  const folder = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'zun-tests', ...names);
  await mkdir(folder, { recursive: true });
  return folder;
}
