const loaded = /\.(js|cjs|mjs|json|node|wasm|proto)$/;
const legal = /^(licen[cs]e|copying|notice|patents)/i;
const development = /^(__tests__|test|tests|doc|docs|example|examples|benchmark|benchmarks|bench|coverage|\.github)$/;

/**
 * Whether a file of an installed package is needed to run it: what Node loads, and what its licence wants to be kept. Types, source
 * maps, documentation, tests and other runtimes' binaries are two thirds of the bytes. `path` begins below the first `node_modules/`.
 */
export function packageFileNeeded(path: string): boolean {
  const parts = path.split('/');
  const at = parts.lastIndexOf('node_modules') + 1;
  const scope = parts[at] ?? '';
  // npm's own records, which name the registry that was asked.
  if (scope.startsWith('.') || scope === '@types') return false;
  const inside = parts.slice(at + (scope.startsWith('@') ? 2 : 1));
  const name = inside.at(-1) ?? '';
  if (inside.length > 1 && development.test(inside[0] ?? '')) return false;
  return loaded.test(name) || legal.test(name);
}
