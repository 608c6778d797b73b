import path from 'node:path';
import { readImportGraph } from './import-graph.ts';
import { violations } from './violations.ts';

/** A graph smaller than this was not read: a check that looked at nothing must not pass. */
const fewestModules = 20;

const graph = readImportGraph(path.join(import.meta.dirname, '../..'));
const own = graph.modules.filter((module) => module.startsWith('src/'));
const found = violations(graph);
for (const sentence of found) console.error(sentence);
if (own.length < fewestModules || graph.edges.length < own.length / 2) {
  console.error(`only ${own.length} modules of src/ and ${graph.edges.length} imports were seen: the check has checked nothing`);
  process.exitCode = 1;
} else {
  console.log(`imports: ${own.length} modules of src/, ${graph.edges.length} imports of own files, ${found.length} in a wrong direction`);
  if (found.length > 0) process.exitCode = 1;
}
