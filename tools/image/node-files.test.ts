import assert from 'node:assert/strict';
import { test } from 'node:test';
import { libraryPlaces } from './node-files.ts';

test('libraries and loader are read from the output of ldd, what the kernel brings is not', () => {
  const output = [
    '\tlinux-vdso.so.1 (0x00007f6cc55c3000)',
    '\tlibstdc++.so.6 => /lib/x86_64-linux-gnu/libstdc++.so.6 (0x00007f6cc5200000)',
    '\t/lib64/ld-linux-x86-64.so.2 (0x00007f6cc55c5000)',
  ];
  assert.deepEqual(libraryPlaces(output.join('\n')), ['/lib/x86_64-linux-gnu/libstdc++.so.6', '/lib64/ld-linux-x86-64.so.2']);
});

test('a library that is missing is named', () => {
  assert.throws(() => libraryPlaces('\tlibatomic.so.1 => not found\n'), /libatomic\.so\.1 is not on this machine/);
});
