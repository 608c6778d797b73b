import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * A folder whose `node_modules` holds what the programs run with, just as the lock file says: without development's packages, and without
 * the packages that carry a Node, since the image has one. Installed in `cache` when it is not there for this lock. Throws with npm's words.
 */
export async function productionPackages(root: string, cache: string): Promise<string> {
  const names = ['package.json', 'package-lock.json'];
  const hash = createHash('sha256');
  for (const name of names) hash.update(await readFile(path.join(root, name)));
  const folder = path.join(cache, `packages-${hash.digest('hex').slice(0, 16)}`);
  if (await exists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const part = await mkdtemp(path.join(cache, 'part-'));
  try {
    for (const name of names) await copyFile(path.join(root, name), path.join(part, name));
    // No scripts: a package that would compile something is not reproducible.
    const omitted = ['--omit=dev', '--omit=optional', '--ignore-scripts'];
    await promisify(execFile)('npm', ['ci', ...omitted, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: part });
    // Somebody else may have been quicker: then theirs is as good.
    await rename(part, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return folder;
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );
