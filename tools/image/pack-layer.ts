import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pack } from 'tar-stream';
import type { ImageFile } from './image-file.ts';

/** A layer's tar: the same bytes for the same files, whenever and wherever it is made. */
export async function packLayer(files: readonly ImageFile[]): Promise<Buffer> {
  const tar = pack();
  const mtime = new Date(0);
  for (const { path: name, mode, owner = 0, content } of withParents(files)) {
    const header = { name: name.slice(1), mode, uid: owner, gid: owner, mtime };
    if (content === 'directory') tar.entry({ ...header, name: `${header.name}/`, type: 'directory' });
    else tar.entry(header, 'text' in content ? content.text : await readFile(content.file));
  }
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** In the order of their paths, each folder before what is in it. */
function withParents(files: readonly ImageFile[]): ImageFile[] {
  const byPath = new Map<string, ImageFile>();
  for (const file of files) {
    for (let parent = path.dirname(file.path); parent !== '/'; parent = path.dirname(parent)) {
      if (!byPath.has(parent)) byPath.set(parent, { path: parent, mode: 0o755, content: 'directory' });
    }
    byPath.set(file.path, file);
  }
  return [...byPath.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
