import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pack } from 'tar-stream';
import { withoutPadding } from './without-padding.ts';

async function tarOf(files: Record<string, Buffer>): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of Object.entries(files)) tar.entry({ name }, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test('what fills a tar up after its end goes, whatever zeros its files hold', async () => {
  for (const files of [
    { a: Buffer.from('text') },
    { a: Buffer.alloc(5_000), b: Buffer.alloc(0), ['long'.repeat(60)]: Buffer.alloc(512) },
    {},
  ]) {
    const tar = await tarOf(files);
    assert.deepEqual(withoutPadding(tar), tar);
    assert.deepEqual(withoutPadding(Buffer.concat([tar, Buffer.alloc(8_192)])), tar);
  }
});

test('what is no tar, or ends early, stays as it is', async () => {
  const tar = await tarOf({ a: Buffer.from('text') });
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(2_000, 'x'), tar.subarray(0, 700), tar.subarray(0, tar.length - 512)]) {
    assert.deepEqual(withoutPadding(bytes), bytes);
  }
});
