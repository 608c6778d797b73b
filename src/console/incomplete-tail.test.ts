import assert from 'node:assert/strict';
import { test } from 'node:test';
import { incompleteTail } from './incomplete-tail.ts';

test('of each character, cut anywhere, the bytes before the cut are its tail', () => {
  for (const character of ['a', 'é', '€', '😀']) {
    const bytes = Buffer.from(character);
    for (let length = 0; length <= bytes.length; length += 1) {
      const expected = length === bytes.length ? 0 : length;
      assert.equal(incompleteTail(Buffer.concat([Buffer.from('é x'), bytes.subarray(0, length)])), expected, `${character} ${length}`);
    }
  }
});

test('what begins no character is whole', () => {
  for (const bytes of [[], [0x80], [0x80, 0x80, 0x80, 0x80], [0xff], [0xf8, 0x80], [0x41, 0x80]])
    assert.equal(incompleteTail(Buffer.from(bytes)), 0);
});
