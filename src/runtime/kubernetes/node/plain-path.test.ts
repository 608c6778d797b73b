import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainPath } from './plain-path.ts';

test('a path is the same however it is written', () => {
  for (const path of ['a/b', '/a/b', './a/b', './/a/b/', '/a//b///', 'a/./b']) assert.equal(plainPath(path), 'a/b', path);
  for (const path of ['', '/', './', '.', '//']) assert.equal(plainPath(path), '', path);
  assert.equal(plainPath('.wh..wh..opq'), '.wh..wh..opq');
});
