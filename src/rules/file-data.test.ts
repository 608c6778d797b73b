import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { decodeFileData, encodeFileData } from './file-data.ts';

test('file data is base 64, of text as UTF-8', () => {
  assert.equal(replayVectors('encode_file_data', encodeFileData), 4);
});

test('base 64 is decoded past foreign characters, and refused when characters are missing', () => {
  assert.equal(
    replayVectors('decode_file_data', (text: string) => decodeFileData(text).toString('utf8')),
    9,
  );
});

test('bytes come back as they went in', () => {
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 7) % 256));
  for (const length of [0, 1, 2, 3, 999, 1000]) {
    const part = bytes.subarray(0, length);
    assert.deepEqual(decodeFileData(encodeFileData(part)), part);
  }
});

test('padding ends the data, early padding does not, and letters beyond ASCII are refused', () => {
  assert.equal(decodeFileData('YQ==Yg==').toString(), 'a');
  assert.equal(decodeFileData('=YWJj').toString(), 'abc');
  assert.equal(decodeFileData('YW=Jj').toString(), 'abc');
  assert.throws(() => decodeFileData('YWJjé'), { name: 'Base64Exception', status: 400 });
  assert.throws(() => decodeFileData('Y==='), { name: 'Base64Exception' });
});
