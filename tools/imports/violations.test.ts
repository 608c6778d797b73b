import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportGraph } from './import-graph.ts';
import { moduleImports } from './module-imports.ts';
import { violations } from './violations.ts';

function graph(...imports: [from: string, to: string][]): ImportGraph {
  return { modules: [...new Set(imports.flat())], edges: imports.map(([from, to]) => ({ from, to, line: 1 })), missing: [] };
}

test('imports that go down are allowed', () => {
  assert.deepEqual(
    violations(
      graph(
        ['src/programs/standalone.ts', 'src/runtime/docker/docker-runtime.ts'],
        ['src/programs/standalone.ts', 'src/features/containers/operations/create.ts'],
        ['src/features/containers/operations/create.ts', 'src/api/operation.ts'],
        ['src/features/containers/operations/create.ts', 'src/features/actions/action-store.ts'],
        ['src/features/containers/sagas/create.ts', 'src/tasks/saga.ts'],
        ['src/runtime/docker/docker-runtime.ts', 'src/runtime/container-runtime.ts'],
        ['src/local/inventory.ts', 'src/scheduling/inventory.ts'],
        ['src/features/containers/x.test.ts', 'src/runtime/memory/memory-runtime.ts'],
      ),
    ),
    [],
  );
});

const refused: [from: string, to: string, reason: RegExp][] = [
  ['src/features/containers/operations/create.ts', 'src/runtime/docker/docker-runtime.ts', /named in src\/programs only/],
  ['src/api/server.ts', 'src/local/identity/local-identity.ts', /named in src\/programs only/],
  ['src/api/server.ts', 'src/features/containers/view.ts', /knows no feature/],
  ['src/features/images/operations/create.ts', 'src/features/containers/sagas/create.ts', /internals/],
  ['src/tasks/worker.ts', 'src/features/containers/store.ts', /stands below/],
  ['src/runtime/container-runtime.ts', 'src/scheduling/filters.ts', /stands below/],
  ['src/runtime/docker/docker-runtime.ts', 'src/tasks/worker.ts', /stands below/],
  ['src/errors/zun-error.ts', 'src/db/schema.ts', /stands below/],
  ['src/api/server.ts', 'src/api/server.test.ts', /nothing of tests/],
  ['src/api/server.ts', 'test/system/python-client.ts', /nothing of tests/],
  ['src/stray/thing.ts', 'src/errors/zun-error.ts', /in no layer/],
];
for (const [from, to, reason] of refused)
  test(`${from} may not import ${to}`, () => {
    const found = violations(graph([from, to]));
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0] ?? '', reason);
  });

test('circles are found, of one module and of several', () => {
  const [first = '', second = ''] = violations(
    graph(
      ['src/db/a.ts', 'src/db/b.ts'],
      ['src/db/b.ts', 'src/db/c.ts'],
      ['src/db/c.ts', 'src/db/a.ts'],
      ['src/db/d.ts', 'src/db/d.ts'],
      ['src/db/d.ts', 'src/db/a.ts'],
    ),
  );
  assert.match(first, /circle: src\/db\/a\.ts, src\/db\/b\.ts, src\/db\/c\.ts$/);
  assert.match(second, /circle: src\/db\/d\.ts$/);
});

test('an import of a file that is not there is told', () => {
  assert.match(
    violations({ modules: [], edges: [], missing: [{ from: 'src/db/a.ts', to: 'src/db/b.ts', line: 7 }] })[0] ?? '',
    /^src\/db\/a\.ts:7 imports/,
  );
});

test('imports of values and types, re-exports and literal import() are read, with their lines', () => {
  const source =
    "import a from './a.ts';\nimport type { B } from './b.ts';\nexport { c } from './c.ts';\nexport * from './d.ts';\nconst e = await import('./e.ts');\nimport './f.ts';\nexport const g = 1;\n";
  assert.deepEqual(
    moduleImports('x.ts', source)
      .map(({ specifier, line }) => `${line}${specifier}`)
      .sort(),
    ['1./a.ts', '2./b.ts', '3./c.ts', '4./d.ts', '5./e.ts', '6./f.ts'],
  );
});

test('source that does not parse stops the check', () => {
  assert.throws(() => moduleImports('x.ts', 'import from from from'), /x\.ts/);
});
