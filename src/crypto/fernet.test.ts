import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadVectors } from '../../test/contract/vectors.ts';
import { Fernet } from './fernet.ts';

const KEY = 'notgood but just long enough i t';

test('tokens of the original are read with their key, and refused with another or when they are none', () => {
  // The recorded null has no counterpart: a token is text.
  const cases = loadVectors<{ token: string | null; key: string }, string>('crypt').cases.filter(({ in: { token } }) => token !== null);
  assert.equal(cases.length, 4);
  for (const { in: given, out, error } of cases) {
    const decrypt = () => new Fernet(given.key).decrypt(given.token ?? '');
    if (error) {
      assert.throws(decrypt, { name: error.class, message: error.message, status: 500 });
    } else {
      assert.equal(decrypt(), out);
    }
  }
});

test('a token begins with version, time and vector, as the Fernet specification’s example does', () => {
  const example = 'gAAAAAAdwJ6wAAECAwQFBgcICQoLDA0ODy021cpGVWKZ_eEwCGM4BLLF_5CV9dOPmrhuVUPgJobwOz7JcbmrR64jVmpU4IwqDA==';
  const vector = Uint8Array.from({ length: 16 }, (_, index) => index);
  const made = new Fernet(KEY).encrypt('hello', Date.parse('1985-10-26T01:20:00-07:00'), vector);
  assert.equal(made.slice(0, 33), example.slice(0, 33));
  assert.equal(made.length, example.length);
});

test('text comes back, and two tokens of the same text differ', () => {
  const fernet = new Fernet(KEY);
  for (const text of ['', 's3cret', 'pässwörd ✓', 'x'.repeat(1000)]) {
    assert.equal(fernet.decrypt(fernet.encrypt(text, 1_800_000_000_000)), text);
  }
  assert.notEqual(fernet.encrypt('a', 0), fernet.encrypt('a', 0));
});

test('a token changed in any byte, or cut, is refused', () => {
  const fernet = new Fernet(KEY);
  const bytes = Buffer.from(fernet.encrypt('s3cret', 0), 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.throws(() => fernet.decrypt(changed.toString('base64url')), { name: 'InvalidEncryptionKey' });
    assert.throws(() => fernet.decrypt(bytes.subarray(0, index).toString('base64url')), { name: 'InvalidEncryptionKey' });
  }
});

test('a key that gives no 32 bytes is refused when it is set', () => {
  assert.throws(() => new Fernet('short'), /auth_encryption_key/);
  assert.throws(() => new Fernet('é'.repeat(32)), /ASCII/);
});
