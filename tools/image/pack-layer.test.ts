import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { extract } from 'tar-stream';
import type { ImageFile } from './image-file.ts';
import { packLayer } from './pack-layer.ts';

const files: ImageFile[] = [
  { path: '/opt/zun/package.json', mode: 0o644, content: { text: '{}' } },
  { path: '/opt/zun/bin/zun', mode: 0o755, content: { text: '#!/bin/sh\n' } },
  { path: '/opt', mode: 0o700, owner: 65_532, content: 'directory' },
];

test('a layer has each folder once and before its files, and no time', async () => {
  const entries: unknown[] = [];
  const tar = Readable.from([await packLayer(files)]).pipe(extract());
  for await (const entry of tar) {
    const { name, mode, uid, mtime } = entry.header;
    entries.push([name, mode, uid, mtime?.getTime()]);
    entry.resume();
  }
  assert.deepEqual(entries, [
    ['opt/', 0o700, 65_532, 0],
    ['opt/zun/', 0o755, 0, 0],
    ['opt/zun/bin/', 0o755, 0, 0],
    ['opt/zun/bin/zun', 0o755, 0, 0],
    ['opt/zun/package.json', 0o644, 0, 0],
  ]);
});

test('a layer is the same whatever the order of its files', async () => {
  assert.deepEqual(await packLayer(files), await packLayer(files.toReversed()));
});
