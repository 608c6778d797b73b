import { createHash } from 'node:crypto';
import { access, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { runCommandWell } from './run-command.ts';
import { testCache } from './test-cache.ts';

/**
 * A virtual environment with the pinned packages of a requirements file, made once in a cache outside the tree; answers its folder.
 * Made under another name and then renamed, so that a folder with the right name is whole, also when two tests make it at once.
 * Since the scripts in it name the folder it was made in, run modules: `bin/python -m …`.
 */
export async function pythonEnvironment(name: string, requirements: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const cache = await testCache();
  const folder = path.join(cache, `${name}-${digest}`);
  if (await exists(folder)) return folder;
  const part = await mkdtemp(path.join(cache, `${name}-part-`));
  try {
    await runCommandWell('python3', ['-m', 'venv', part]);
    await runCommandWell(path.join(part, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
    await rename(part, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return folder;
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
