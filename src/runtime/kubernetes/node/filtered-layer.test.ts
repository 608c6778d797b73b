import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { extract, pack } from 'tar-stream';
import { filteredLayer } from './filtered-layer.ts';
import type { LayerMember } from './layer-member.ts';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function filtered(tar: Buffer, keeps: (member: LayerMember) => boolean, pieceSize = 777): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of filteredLayer(inPieces(tar, pieceSize), keeps)) parts.push(part);
  return Buffer.concat(parts);
}

interface Entry {
  name: string;
  content: string;
}

async function tarOf(entries: Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { name, content } of entries) archive.entry({ name }, content);
  archive.finalize();
  return await buffer(archive);
}

async function entriesOf(tar: Buffer): Promise<Entry[]> {
  const reader = extract();
  reader.end(tar);
  const entries: Entry[] = [];
  for await (const entry of reader) {
    entries.push({ name: entry.header.name, content: await text(entry) });
  }
  return entries;
}

/** Short and long, plain and not: a header has room for 100 bytes of ASCII. */
const name = fc
  .tuple(fc.constantFrom('a', 'ü', 'x'.repeat(90), 'long/'.repeat(40)), fc.nat(999))
  .map(([prefix, number]) => `${prefix}${number}`);
const entries = fc.uniqueArray(fc.record({ name, content: fc.string({ maxLength: 1500 }) }, { noNullPrototype: true }), {
  selector: (entry) => entry.name,
  maxLength: 8,
});

test('keeps what is to be kept, in whatever pieces it comes', async () => {
  await fc.assert(
    fc.asyncProperty(entries, fc.integer({ min: 1, max: 2000 }), fc.func(fc.boolean()), async (all, pieceSize, choose) => {
      const tar = await tarOf(all);
      const left = await filtered(tar, (member) => choose(member.path), pieceSize);
      assert.deepEqual(
        await entriesOf(left),
        all.filter((entry) => choose(entry.name)),
      );
      assert.ok((await filtered(tar, () => true, pieceSize)).equals(tar));
    }),
    { numRuns: 60 },
  );
});

test('tells what each member is, in the formats of containerd, GNU and POSIX', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'zun-layer-'));
  try {
    const long = `${'deep/'.repeat(30)}file`;
    await mkdir(path.join(folder, path.dirname(long)), { recursive: true });
    await writeFile(path.join(folder, long), 'twelve bytes');
    await writeFile(path.join(folder, 'empty'), '');
    for (const format of ['gnu', 'pax', 'ustar']) {
      const args = ['-C', folder, `--format=${format}`, '-cf', '-', '--no-recursion', './', './empty', './deep/', `./${long}`];
      const { stdout } = await promisify(execFile)('tar', args, { encoding: 'buffer' });
      const members: LayerMember[] = [];
      await filtered(stdout, (member) => members.push(member) > 0);
      assert.deepEqual(members, [
        { path: '', type: 'directory', size: 0 },
        { path: 'empty', type: 'file', size: 0 },
        { path: 'deep', type: 'directory', size: 0 },
        { path: long, type: 'file', size: 12 },
      ]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('leaves bytes of extended attributes that are no text as they are', async () => {
  const record = Buffer.concat([
    Buffer.from('SCHILY.xattr.security.capability='),
    Buffer.from([1, 0, 0, 2, 0xff, 0xfe, 0x0a, 0x80]),
    Buffer.from('\n'),
  ]);
  const length = record.length + 3;
  const pax = Buffer.concat([Buffer.from(`${length} `), record]);
  assert.equal(pax.length, length);
  const header = (await tarOf([{ name: 'PaxHeaders/ping', content: '' }])).subarray(0, 512);
  header.write('x', 156, 'latin1');
  header.write(`${pax.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  const file = await tarOf([{ name: 'ping', content: 'elf' }]);
  const tar = Buffer.concat([header, pax, Buffer.alloc(512 - (pax.length % 512)), file]);
  const members: string[] = [];
  const left = await filtered(tar, (member) => members.push(member.path) > 0);
  assert.deepEqual(members, ['ping']);
  assert.ok(left.equals(tar));
});

test('refuses a layer that was cut', async () => {
  const tar = await tarOf([{ name: 'file', content: 'x'.repeat(2000) }]);
  for (const end of [100, 1024, 2560])
    await assert.rejects(
      filtered(tar.subarray(0, end), () => true),
      /no end|early/,
    );
});
