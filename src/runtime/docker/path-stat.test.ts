import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathStat } from './path-stat.ts';

const header = (stat: object) => Buffer.from(JSON.stringify(stat)).toString('base64');

test('a stat is what the header says, of the members of Docker only', () => {
  const stat = { name: 'hello', size: 6, mode: 420, mtime: '1970-01-01T00:00:00Z', isDir: false, linkTarget: '/tmp/hello' };
  assert.deepEqual(pathStat(header(stat)), { name: 'hello', size: 6, mode: 420, mtime: '1970-01-01T00:00:00Z', linkTarget: '' });
});

test('a symbolic link keeps its target', () => {
  const stat = { name: 'l', size: 1, mode: 0x8000000 + 0o777, mtime: '', linkTarget: '/etc/passwd' };
  assert.equal(pathStat(header(stat)).linkTarget, '/etc/passwd');
});
