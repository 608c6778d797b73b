import { cycles } from './cycles.ts';
import type { Edge, ImportGraph } from './import-graph.ts';
import { layerOf } from './layers.ts';

/** Of another feature only how its rows are kept and shown, and the checks it offers to others' transactions, may be known. */
const openToOtherFeatures = /(^|[/-])(store|view|row|check)\.ts$/;
/** Features made of another's parts: a capsule is containers with one network. */
const builtOn: Record<string, string[]> = { 'features/capsules': ['features/containers'] };

/** Sentences, each with file and line, for every import that goes the wrong way; empty when all is well. */
export function violations({ modules, edges, missing }: ImportGraph): string[] {
  return [
    ...modules
      .filter((module) => module.startsWith('src/') && !layerOf(module))
      .map((module) => `${module}: its folder is in no layer: name it in tools/imports/layers.ts`),
    ...missing.map((edge) => `${place(edge)} imports ${edge.to}, which is not there`),
    ...edges.flatMap((edge) => {
      const reason = wrong(edge);
      return reason === null ? [] : [`${place(edge)} imports ${edge.to}: ${reason}`];
    }),
    ...cycles(edges).map((group) => `import each other in a circle: ${group.join(', ')}`),
  ];
}

const place = (edge: Edge) => `${edge.from}:${edge.line}`;

function wrong({ from, to }: Edge): string | null {
  if (!from.startsWith('src/') || from.endsWith('.test.ts')) return null;
  if (/^(test|tools|bench)\//.test(to) || to.endsWith('.test.ts')) return 'the product knows nothing of tests, tools and benchmarks';
  const [source, target] = [layerOf(from), layerOf(to)];
  if (!source || !target) return null;
  if (source.kind === 'program' || source.folder === target.folder) return null;
  if (target.kind === 'adapter' && source.kind !== 'adapter') return 'adapters are named in src/programs only';
  if (source.kind === 'api' && target.kind === 'feature') return 'the HTTP edge knows no feature';
  if (
    source.kind === 'feature' &&
    target.kind === 'feature' &&
    target.folder !== 'features' &&
    !openToOtherFeatures.test(to) &&
    !builtOn[source.folder]?.includes(target.folder)
  )
    return "another feature's internals: only its store, row, view and checks are open";
  if (target.height > source.height) return `imports go down: ${source.folder} stands below ${target.folder}`;
  return null;
}
