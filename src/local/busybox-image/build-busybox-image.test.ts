import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { buildBusyboxImage } from './build-busybox-image.ts';

test('without a busybox the user is told what to install', async () => {
  await assert.rejects(buildBusyboxImage({ busybox: '/nowhere/busybox' }), /There is no \/nowhere\/busybox: install busybox-static/);
});

test('a busybox that needs shared libraries is refused: the image has none', async () => {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'command -v ls']);
  await assert.rejects(buildBusyboxImage({ busybox: stdout.trim() }), /needs shared libraries/);
});
