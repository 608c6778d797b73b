import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectNamespace } from './project-namespace.ts';

test('a project has the namespace of its id', () => {
  assert.equal(projectNamespace('zun-', '0123456789abcdef0123456789abcdef'), 'zun-0123456789abcdef0123456789abcdef');
});

test('an id that Kubernetes could not have as a name gives a digest, another for each id', () => {
  const names = ['Upper', 'under_score', 'dot.ted', 'ends-', 'x'.repeat(80)].map((id) => projectNamespace('zun-', id));
  for (const name of names) assert.match(name, /^zun-[0-9a-f]{32}$/);
  assert.equal(new Set(names).size, names.length);
});
