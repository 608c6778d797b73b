import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputText } from './output-text.ts';

test('UTF-8 is read as such, whatever its length', () => {
  const text = 'plain, é, €, 😀, \ufffd and \u0000';
  assert.equal(outputText(Buffer.from(text)), text);
});

test('bytes that are not UTF-8 are shown by their number, beside text that is', () => {
  assert.equal(outputText(Buffer.from([0xff, 0xfe, ...Buffer.from('ok é'), 0xc3])), 'ÿþok éÃ');
  assert.equal(outputText(Buffer.from([0xed, 0xa0, 0x80])), 'í\u00a0\u0080', 'a lone surrogate is no UTF-8');
  assert.equal(outputText(Buffer.from([0xc0, 0x80])), 'À\u0080', 'nor is an overlong form');
});
