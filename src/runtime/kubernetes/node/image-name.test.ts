import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '../../runtime-fault.ts';
import { imageName, storedName } from './image-name.ts';

const digest = `sha256:${'a'.repeat(64)}`;

test('a name is completed as Docker does', () => {
  for (const [name, stored] of [
    ['busybox', 'docker.io/library/busybox:latest'],
    ['index.docker.io/busybox:1', 'docker.io/library/busybox:1'],
    ['user/app:1', 'docker.io/user/app:1'],
    ['localhost/app', 'localhost/app:latest'],
    ['registry.example:5000/app', 'registry.example:5000/app:latest'],
    [`quay.io/a/b:1@${digest}`, `quay.io/a/b@${digest}`],
    [digest, digest],
  ] as const)
    assert.equal(storedName(name), stored);
});

test('a name is taken apart for its registry', () => {
  assert.deepEqual(imageName('127.0.0.1:5000/a/b:1'), { registry: '127.0.0.1:5000', repository: 'a/b', reference: '1' });
});

test('what is no name is refused with it', () => {
  assert.throws(
    () => storedName('No Name'),
    (error) => isFault(error, 'invalid') && /'No Name'/.test(error.message),
  );
});
