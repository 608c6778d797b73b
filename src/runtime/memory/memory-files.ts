import { posix } from 'node:path';

export type FileNode =
  | { kind: 'file'; bytes: Buffer /** Permission bits. */; mode: number; mtime: number }
  | { kind: 'directory'; mode: number; mtime: number };

/** A filesystem in memory: absolute paths, files and directories, and other trees mounted into it. */
export class MemoryFiles {
  readonly #nodes = new Map<string, FileNode>();
  readonly #mounts = new Map<string, MemoryFiles>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.#nodes.set('/', { kind: 'directory', mode: 0o755, mtime: now() });
  }

  resolve(workdir: string, path: string): string {
    return posix.resolve('/', workdir, path);
  }

  parent(path: string): string {
    return posix.dirname(path);
  }

  /** Makes another tree appear at the path. A tree whose root is a file appears as that file. */
  mount(destination: string, tree: MemoryFiles): void {
    this.makeDirectory(posix.dirname(destination));
    this.#mounts.set(destination, tree);
  }

  stat(path: string): FileNode | null {
    const { tree, inner } = this.#locate(path);
    return tree.#nodes.get(inner) ?? null;
  }

  read(path: string): Buffer | null {
    const node = this.stat(path);
    return node?.kind === 'file' ? node.bytes : null;
  }

  /** Replaces or makes a file, and the directories above it. */
  write(path: string, bytes: Buffer, mode = 0o644): void {
    const { tree, inner } = this.#locate(path);
    if (inner !== '/') tree.makeDirectory(posix.dirname(inner));
    tree.#nodes.set(inner, { kind: 'file', bytes, mode, mtime: this.#now() });
  }

  makeDirectory(path: string, mode = 0o755): void {
    const { tree, inner } = this.#locate(path);
    if (tree.#nodes.has(inner)) return;
    if (inner !== '/') tree.makeDirectory(posix.dirname(inner));
    tree.#nodes.set(inner, { kind: 'directory', mode, mtime: this.#now() });
  }

  remove(path: string): void {
    const { tree, inner } = this.#locate(path);
    for (const key of [...tree.#nodes.keys()]) if (key === inner || key.startsWith(`${inner}/`)) tree.#nodes.delete(key);
  }

  /** Names in a directory, sorted. */
  list(path: string): string[] {
    const { tree, inner } = this.#locate(path);
    const prefix = inner === '/' ? '/' : `${inner}/`;
    const paths = [...tree.#nodes.keys(), ...tree.#mounts.keys()];
    const names = paths.filter((key) => key !== inner && key.startsWith(prefix)).map((key) => key.slice(prefix.length).split('/')[0] ?? '');
    return [...new Set(names)].toSorted();
  }

  /** A copy that shares nothing, without what is mounted. */
  clone(): MemoryFiles {
    const copy = new MemoryFiles(this.#now);
    for (const [path, node] of this.#nodes) copy.#nodes.set(path, { ...node });
    return copy;
  }

  sizeBytes(): number {
    return [...this.#nodes.values()].reduce((sum, node) => sum + (node.kind === 'file' ? node.bytes.length : 0), 0);
  }

  #locate(path: string): { tree: MemoryFiles; inner: string } {
    for (const [destination, tree] of this.#mounts) {
      if (path === destination) return { tree, inner: '/' };
      if (path.startsWith(`${destination}/`)) return tree.#locate(path.slice(destination.length));
    }
    return { tree: this, inner: path };
  }
}
