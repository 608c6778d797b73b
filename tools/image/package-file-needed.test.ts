import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageFileNeeded } from './package-file-needed.ts';

const needed = [
  'pg/lib/index.js',
  'pg/package.json',
  'pg/LICENSE',
  '@grpc/grpc-js/build/src/index.js',
  '@grpc/grpc-js/proto/channelz.proto',
  '@kubernetes/client-node/node_modules/undici/lib/llhttp/llhttp.wasm',
  // A module of this name further down is code.
  'example/lib/test/runner.js',
  'yargs/test.js',
];
const cut = [
  'pg/README.md',
  'pg/lib/index.js.map',
  'pg/lib/index.d.ts',
  'fastify/test/server.test.js',
  '@fastify/error/test/index.test.js',
  'fastify/node_modules/pino/benchmarks/basic.js',
  '@types/node/package.json',
  '.package-lock.json',
  '.bin/pino',
  'bare-fs/prebuilds/linux-x64/bare-fs.bare',
];

test('the image has what Node loads and the licences of it', () => {
  assert.deepEqual(needed.filter(packageFileNeeded), needed);
});

test('the image has no types, maps, tests, documentation and binaries of other runtimes', () => {
  assert.deepEqual(cut.filter(packageFileNeeded), []);
});
