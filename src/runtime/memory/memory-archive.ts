import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { extract, pack } from 'tar-stream';
import type { PathStat } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import type { FileNode, MemoryFiles } from './memory-files.ts';

/** Go's os.ModeDir, as Docker sends it. */
const GO_DIRECTORY = 0x80000000;

/** The path as a tar whose names begin with the path's last part, as Docker makes it. */
export async function readArchive(files: MemoryFiles, path: string): Promise<{ tar: Buffer; stat: PathStat }> {
  const resolved = files.resolve('/', path);
  const node = files.stat(resolved);
  if (!node) throw new RuntimeFault('not-found', `Could not find the file ${path} in container`);
  const name = posix.basename(resolved);
  const tar = pack();
  for (const [entryName, entry] of walk(files, resolved, name, node)) {
    const header = { name: entryName, mode: entry.mode, mtime: new Date(entry.mtime) };
    if (entry.kind === 'file') tar.entry({ ...header, type: 'file' }, entry.bytes);
    else tar.entry({ ...header, name: `${entryName}/`, type: 'directory' });
  }
  tar.finalize();
  return { tar: await buffer(tar), stat: statOf(name === '' ? '/' : name, node) };
}

/** Unpacks nothing at all when the bytes are not a whole tar archive. */
export async function writeArchive(files: MemoryFiles, path: string, tar: Buffer): Promise<void> {
  const target = files.resolve('/', path);
  const node = files.stat(target);
  if (!node) throw new RuntimeFault('not-found', `Could not find the file ${path} in container`);
  if (node.kind !== 'directory') throw new RuntimeFault('invalid', 'extraction point is not a directory');
  for (const [name, entry] of await entriesOf(tar)) {
    const destination = files.resolve('/', posix.join(target, posix.resolve('/', name)));
    if (entry.kind === 'file') files.write(destination, entry.bytes, entry.mode);
    else files.makeDirectory(destination, entry.mode);
  }
}

function* walk(files: MemoryFiles, path: string, name: string, node: FileNode): Generator<[string, FileNode]> {
  yield [name, node];
  if (node.kind === 'file') return;
  for (const child of files.list(path)) {
    const childPath = posix.join(path, child);
    const childNode = files.stat(childPath);
    if (childNode) yield* walk(files, childPath, posix.join(name, child), childNode);
  }
}

async function entriesOf(tar: Buffer): Promise<[string, FileNode][]> {
  if (tar.length < 512 || tar.length % 512 !== 0) throw new RuntimeFault('invalid', 'unexpected EOF');
  const entries: [string, FileNode][] = [];
  const extraction = extract();
  extraction.end(tar);
  try {
    for await (const entry of extraction) {
      const bytes = await buffer(entry);
      const { name, type, mode = 0o644, mtime } = entry.header;
      const common = { mode: mode & 0o7777, mtime: mtime?.getTime() ?? 0 };
      if (type === 'directory') entries.push([name, { kind: 'directory', ...common }]);
      else if (type === 'file') entries.push([name, { kind: 'file', bytes, ...common }]);
    }
  } catch (error) {
    throw new RuntimeFault('invalid', `archive/tar: invalid tar header: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
  return entries;
}

function statOf(name: string, node: FileNode): PathStat {
  return {
    name,
    size: node.kind === 'file' ? node.bytes.length : 4096,
    mode: node.kind === 'file' ? node.mode : GO_DIRECTORY + node.mode,
    mtime: new Date(node.mtime).toISOString(),
    linkTarget: '',
  };
}
