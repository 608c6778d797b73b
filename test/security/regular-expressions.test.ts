import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { parseSync } from 'oxc-parser';
import { pythonRegExp } from '../../src/validation/python-regexp.ts';
import { contractText } from '../contract/vectors.ts';
import { slowInputs, slowOn } from './slow-inputs.ts';

const root = resolve(import.meta.dirname, '../..');

/** So long a text, in characters, must take no longer than so many milliseconds; what is quadratic takes ten times that. */
const size = 40_000;
const longest = 200;

/** What only the operator's, the contract's or the memory engine's words come to. */
const notOfUsers = ['src/config/', 'src/db/', 'src/policy/', 'src/programs/', 'src/runtime/memory/', 'src/local/engine/'];
/** Reads the patterns of the contract. */
const ofContract = 'src/validation/python-regexp.ts';

/** Every expression that the sources write out, by file. */
function expressions(): { file: string; expression: RegExp }[] {
  const files = globSync('src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && file !== ofContract && !notOfUsers.some((folder) => file.startsWith(folder)),
  );
  return files.flatMap((file) => {
    const found: RegExp[] = [];
    JSON.stringify(parseSync(file, readFileSync(resolve(root, file), 'utf8')).program, (_key, node) => {
      if (node?.type === 'Literal' && node.regex) found.push(new RegExp(node.regex.pattern, node.regex.flags));
      return typeof node === 'bigint' ? String(node) : node;
    });
    return found.map((expression) => ({ file, expression }));
  });
}

/** Every `pattern` of the request schemas, as requests are checked with. */
function schemaPatterns(): RegExp[] {
  const patterns = new Set<string>();
  JSON.parse(contractText('schemas.json'), (key, value) => {
    if (key === 'pattern' && typeof value === 'string' && !value.includes('full match')) patterns.add(value);
    return value;
  });
  return [...patterns].map(pythonRegExp);
}

test('the search for slow texts finds a quadratic and an exponential expression', () => {
  for (const slow of [/\/+$/, /^(a+)+$/, /(\w+)\s*=/])
    assert.notEqual(slowOn(slow, slowInputs(slow.source, size), longest), null, String(slow));
});

test('no expression that a user’s words come to can be made slow', () => {
  const all = expressions();
  assert.ok(all.length > 40, `${all.length}`);
  const slow = all.flatMap(({ file, expression }) => {
    const text = slowOn(expression, slowInputs(expression.source, size), longest);
    return text === null ? [] : [`${file}: ${expression} on ${text}`];
  });
  assert.deepEqual(slow, []);
});

test('no pattern of a request schema can be made slow', () => {
  const slow = schemaPatterns().flatMap((pattern) => {
    const text = slowOn(pattern, slowInputs(pattern.source, size), longest);
    return text === null ? [] : [`${pattern} on ${text}`];
  });
  assert.deepEqual(slow, []);
});
