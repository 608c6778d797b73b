import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { commandFiles } from './command-files.ts';
import type { ImageFile } from './image-file.ts';
import { packageFileNeeded } from './package-file-needed.ts';
import { programFolder } from './program-folder.ts';

/** The programs' own files. `root` is the checkout. */
export async function programFiles(root: string): Promise<ImageFile[]> {
  const trees = ['contract', 'src'];
  const files = (
    await Promise.all(trees.map(async (tree) => (await filesBelow(path.join(root, tree))).map((file) => `${tree}/${file}`)))
  ).flat();
  return [...commandFiles, ...(await imageFiles(root, ['package.json', ...files.filter(ownFileNeeded)], programFolder))];
}

/** The packages that the programs run with. `folder` is where they were installed. */
export async function packageFiles(folder: string): Promise<ImageFile[]> {
  const files = await filesBelow(path.join(folder, 'node_modules'));
  return imageFiles(path.join(folder, 'node_modules'), files.filter(packageFileNeeded), `${programFolder}/node_modules`);
}

/** Tests and recordings of the original stay at home: only development reads them. */
export function ownFileNeeded(name: string): boolean {
  return !/\.test\.ts$|^contract\/(recordings|vectors)\/|^contract\/.*\.jsonl$/.test(name);
}

/** Names of all files below a folder; links are left out. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

function imageFiles(source: string, names: string[], target: string): Promise<ImageFile[]> {
  return Promise.all(
    names.map(async (name) => {
      const file = path.join(source, name);
      // Of the permissions only this counts: the others are whatever the checkout's umask made of them.
      const executable = ((await stat(file)).mode & 0o100) !== 0;
      return { path: `${target}/${name}`, mode: executable ? 0o755 : 0o644, content: { file } };
    }),
  );
}
