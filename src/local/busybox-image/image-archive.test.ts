import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { extract } from 'tar-stream';
import { imageArchive } from './image-archive.ts';

test('an archive names its configuration, its layers in order and its references, and is the same each time', async () => {
  const image = { config: Buffer.from('{"os":"linux"}'), layers: [Buffer.from('lower'), Buffer.from('upper')] };
  const archive = await imageArchive(image, ['a/b:c']);
  assert.deepEqual(await imageArchive(image, ['a/b:c']), archive);
  const files = new Map<string, string>();
  const tar = Readable.from([archive]).pipe(extract());
  for await (const entry of tar) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files.set(entry.header.name, Buffer.concat(chunks).toString());
  }
  const [manifest] = JSON.parse(files.get('manifest.json') ?? '[]');
  assert.deepEqual(manifest.RepoTags, ['a/b:c']);
  assert.equal(manifest.Config, `${createHash('sha256').update(image.config).digest('hex')}.json`);
  assert.equal(files.get(manifest.Config), '{"os":"linux"}');
  assert.deepEqual(
    manifest.Layers.map((name: string) => files.get(name)),
    ['lower', 'upper'],
  );
});
