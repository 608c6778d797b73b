import { chmod, chown, copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ImageFile } from './image-file.ts';

/** Writes an image's files below a folder. Owners are set by root only; anybody else's files stay theirs. */
export async function layOutFiles(files: readonly ImageFile[], folder: string): Promise<void> {
  for (const { path: name, mode, owner = 0, content } of files) {
    const target = path.join(folder, name);
    await mkdir(content === 'directory' ? target : path.dirname(target), { recursive: true });
    if (content !== 'directory') await ('text' in content ? writeFile(target, content.text) : copyFile(content.file, target));
    await chmod(target, mode);
    if (process.getuid?.() === 0) await chown(target, owner, owner);
  }
}
