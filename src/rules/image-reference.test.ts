import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { parseImageReference } from './image-reference.ts';

interface Recorded {
  name: string;
  tag: string | null;
  digest: string | null;
  hostname: [string, string];
}

test('image names are taken apart as by the original; bad ones are 400 with its class and text', () => {
  const parsed = (text: string) => {
    const { name, tag, digest, domain, path } = parseImageReference(text);
    const kind = digest ? (tag ? 'Reference' : 'CanonicalReference') : tag ? 'TaggedReference' : 'NamedReference';
    const string = `${name}${tag ? `:${tag}` : ''}${digest ? `@${digest}` : ''}`;
    return { class: kind, name, tag, digest, string, hostname: [domain, path] } as Recorded & { class: string; string: string };
  };
  const refusal = ({ class: name, message }: { class: string; message: string }) => ({ name, message, status: 400 });
  assert.equal(replayVectors('docker_reference', parsed, refusal), 41);
});

test('a digest has the length of its algorithm', () => {
  assert.equal(parseImageReference(`a@sha512:${'f'.repeat(128)}`).digest?.length, 135);
  assert.throws(() => parseImageReference(`a@sha512:${'f'.repeat(64)}`), { name: 'DigestInvalidLength', status: 400 });
  assert.throws(() => parseImageReference('a@constructor:ff'), { name: 'DigestUnsupported', status: 400 });
});

test('a long name that does not match is refused in no time, where the original would try for ages', () => {
  const started = process.hrtime.bigint();
  assert.throws(() => parseImageReference(`${'a'.repeat(250)}!`), { name: 'ReferenceInvalidFormat' });
  assert.throws(() => parseImageReference(`${'a-'.repeat(5000)}!`), { name: 'ReferenceInvalidFormat' });
  assert.ok(process.hrtime.bigint() - started < 1_000_000_000n);
});
