import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireImageName } from './require-image-name.ts';

test('names that a registry can have are let through', () => {
  for (const name of ['busybox', 'registry.example:5000/team/app:1.2', `app@sha256:${'0'.repeat(64)}`]) requireImageName(name);
});

test('a name that none can have is refused with field, value and rule', () => {
  const refusals: [string, string][] = [
    ['BusyBox', "Invalid value 'BusyBox' for image: invalid reference format."],
    ['busy box', "Invalid value 'busy box' for image: invalid reference format."],
    ['a'.repeat(256), `Invalid value '${'a'.repeat(256)}' for image: repository name must not be more than 255 characters.`],
    ['app@sha256:00', "Invalid value 'app@sha256:00' for image: invalid checksum digest length."],
  ];
  for (const [name, message] of refusals) assert.throws(() => requireImageName(name), { status: 400, message });
});
