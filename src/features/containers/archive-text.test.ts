import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archiveBytes, archiveText } from './archive-text.ts';

const padded = (content: Buffer): Buffer => Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);

test('an archive of text or of any bytes comes back as it went', () => {
  for (const content of [Buffer.from('hello\n'), Buffer.from('é and €'), Buffer.from([0, 0xff, 0xfe, 0x80, 1]), Buffer.alloc(0)]) {
    assert.deepEqual(archiveBytes(archiveText(padded(content))), padded(content));
  }
});

test('text that fills no blocks is sent as UTF-8', () => {
  assert.deepEqual(archiveBytes('é'), Buffer.from('é', 'utf8'));
});
