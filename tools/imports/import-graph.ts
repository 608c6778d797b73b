import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { moduleImports } from './module-imports.ts';

/** One import of the project's own files; paths are relative to the project, with `/`. */
export interface Edge {
  from: string;
  to: string;
  /** 1-based line in `from`. */
  line: number;
}

export interface ImportGraph {
  modules: string[];
  edges: Edge[];
  /** Relative imports of files that are not there. */
  missing: Edge[];
}

/** Reads all TypeScript of the project below its source folders. */
export function readImportGraph(root: string): ImportGraph {
  const modules = globSync('{src,test,bench,tools}/**/*.ts', { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .sort();
  const all = modules.flatMap((from) =>
    moduleImports(from, readFileSync(path.join(root, from), 'utf8'))
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier, line }): Edge => ({ from, to: path.posix.join(path.posix.dirname(from), specifier), line })),
  );
  const present = new Map<string, boolean>();
  for (const { to } of all) if (!present.has(to)) present.set(to, existsSync(path.join(root, to)));
  return { modules, edges: all.filter(({ to }) => present.get(to)), missing: all.filter(({ to }) => !present.get(to)) };
}
