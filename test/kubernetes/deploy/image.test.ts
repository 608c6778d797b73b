import assert from 'node:assert/strict';
import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { extract } from 'tar-stream';
import { zunImage } from '../../../tools/image/zun-image.ts';
import { runCommandWell } from '../../system/run-command.ts';
import { testCache } from '../../system/test-cache.ts';

const root = path.join(import.meta.dirname, '../../..');

test('the image is the same bytes each time, and what the Containerfile lays out is what is in it, beside Node', async (t) => {
  const source = { root, node: process.execPath, cache: await testCache('image') };
  const image = await zunImage(source);
  assert.ok(image.config.equals((await zunImage(source)).config), 'the digests of all layers are in it');
  const folder = await mkdtemp(path.join(tmpdir(), 'zun-image-'));
  t.after(() => rm(folder, { recursive: true }));
  await runCommandWell(process.execPath, [path.join(root, 'tools/lay-out-image.ts'), folder, source.cache]);
  const packed = new Map<string, string>();
  for (const layer of image.layers) for (const [name, facts] of await entriesOf(layer)) packed.set(name, facts);
  const nodes = [...packed.keys()].filter((name) => /^(lib|lib64|usr\/lib)(\/|$)|^usr\/local\/bin\/node$/.test(name));
  for (const name of nodes) packed.delete(name);
  assert.deepEqual(Object.fromEntries(packed), Object.fromEntries(await filesOf(folder)));
  assert.ok(nodes.includes('usr/local/bin/node'));
});

test('no shell is in the image, nor a test, nor what only development needs', async () => {
  const image = await zunImage({ root, node: process.execPath, cache: await testCache('image') });
  const names = (await Promise.all(image.layers.map(entriesOf))).flatMap((entries) => entries.map(([name]) => name));
  const unwanted =
    /(^|\/)(sh|bash|dash|busybox|npm)$|\.test\.ts$|^opt\/zun\/(test|tools|bench|docs|\.git)\/|node_modules\/(typescript|@biomejs|knip|node-linux-)/;
  assert.deepEqual(
    names.filter((name) => unwanted.test(name)),
    [],
  );
  assert.ok(names.includes('opt/zun/src/programs/cli.ts'));
});

/** Path, kind, permission, owner and size of each entry. */
async function entriesOf(layer: Buffer): Promise<[string, string][]> {
  const entries: [string, string][] = [];
  for await (const entry of Readable.from([layer]).pipe(extract())) {
    const { name, type, mode, uid, size } = entry.header;
    entries.push([name.replace(/\/$/, ''), `${type} ${(mode ?? 0).toString(8)} ${uid} ${size}`]);
    entry.resume();
  }
  return entries;
}

async function filesOf(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const facts = await lstat(file);
      const size = entry.isDirectory() ? 0 : (await readFile(file)).length;
      const type = entry.isDirectory() ? 'directory' : 'file';
      return [path.relative(folder, file), `${type} ${(facts.mode & 0o7777).toString(8)} ${facts.uid} ${size}`] as [string, string];
    }),
  );
}
