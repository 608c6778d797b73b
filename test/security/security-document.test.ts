import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

test('every file that docs/SECURITY.md names is there, and every test of this folder is named', () => {
  const text = readFileSync(resolve(root, 'docs/SECURITY.md'), 'utf8');
  const named = [...text.matchAll(/`((?:src|test|tools)\/[^`]+)`/g)].map(([, name = '']) => name);
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((name) => globSync(name, { cwd: root }).length === 0),
    [],
  );
  for (const file of globSync('test/security/*.test.ts', { cwd: root }))
    if (!file.endsWith('security-document.test.ts')) assert.ok(named.includes(file), file);
});
