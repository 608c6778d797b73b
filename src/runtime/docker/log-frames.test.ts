import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { logFrames } from './log-frames.ts';

const frame = (stream: number, payload: Buffer) => {
  const header = Buffer.alloc(8);
  header.writeUInt8(stream, 0);
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
};

test('frames come out as they went in, whatever their bytes', () => {
  const payload = fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes));
  const frames = fc.array(fc.record({ stream: fc.constantFrom(1, 2), payload }, { noNullPrototype: true }));
  fc.assert(
    fc.property(frames, (given) => {
      assert.deepEqual(logFrames(Buffer.concat(given.map(({ stream, payload }) => frame(stream, payload)))), given);
    }),
  );
});

test('a stream that was cut off gives what came', () => {
  const whole = frame(1, Buffer.from('hello'));
  assert.deepEqual(logFrames(whole.subarray(0, 10)), [{ stream: 1, payload: Buffer.from('he') }]);
  assert.deepEqual(logFrames(whole.subarray(0, 5)), []);
});
