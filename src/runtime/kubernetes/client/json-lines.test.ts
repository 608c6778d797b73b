import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonLines } from './json-lines.ts';

test('documents come whole, however the bytes are cut, within characters too', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(40)), (documents, cuts) => {
      const bytes = Buffer.from(documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
      const lines = new JsonLines(1_000_000);
      const received: unknown[] = [];
      let at = 0;
      for (const cut of cuts) {
        received.push(...lines.push(bytes.subarray(at, at + cut)));
        at += cut;
      }
      received.push(...lines.push(bytes.subarray(at)));
      assert.deepEqual(received, documents);
    }),
  );
});

test('an end that is no whole line, and empty lines, give nothing', () => {
  const lines = new JsonLines(100);
  assert.deepEqual(lines.push(Buffer.from('\n\r\n{"a":1}\n{"b"')), [{ a: 1 }]);
});

test('what is no JSON, and a line without an end, are faults', () => {
  assert.throws(() => new JsonLines(100).push(Buffer.from('<html>\n')), {
    name: 'RuntimeFault',
    kind: 'unreachable',
    message: 'Kubernetes sent a line that is no JSON: "<html>"',
  });
  const lines = new JsonLines(100);
  lines.push(Buffer.alloc(100, 'x'));
  assert.throws(() => lines.push(Buffer.from('x')), { kind: 'unreachable', message: 'Kubernetes sent a line of more than 100 bytes.' });
});
