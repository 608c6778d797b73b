import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

/** Those that leak, hang or lie. */
const numbers = [1, 2, 3, 4, 8, 9, 11, 12, 18];

test('each leak and hang of the original is in docs/decisions/leaks-and-hangs.md, with files that have a test of its number', () => {
  const rows = [...read('docs/decisions/leaks-and-hangs.md').matchAll(/^\| (\d+) \|.*\| ([^|]+) \|$/gm)];
  assert.deepEqual(
    rows.map(([, number]) => Number(number)),
    numbers,
  );
  for (const [, number, files = ''] of rows) {
    const named = [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    assert.ok(named.length > 0, `surprise ${number} names no test`);
    for (const file of named)
      assert.match(read(file), new RegExp(`recording surprises? (\\d+ and )?${number}\\b`), `${file}: surprise ${number}`);
  }
});
