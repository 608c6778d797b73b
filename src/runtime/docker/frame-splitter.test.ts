import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameSplitter } from './frame-splitter.ts';

const frame = (stream: number, payload: string) => {
  const header = Buffer.alloc(8);
  header.writeUInt8(stream, 0);
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, Buffer.from(payload)]);
};

const sent = Buffer.concat([frame(1, 'out'), frame(2, 'an error'), frame(1, ''), frame(1, 'x'.repeat(300))]);
const expected = `outan error${'x'.repeat(300)}`;

test('frames give their payloads in order, wherever the stream is cut', () => {
  for (let piece = 1; piece <= sent.length; piece++) {
    const frames = new FrameSplitter();
    const heard: Buffer[] = [];
    for (let at = 0; at < sent.length; at += piece) heard.push(...frames.split(sent.subarray(at, at + piece)));
    assert.equal(Buffer.concat(heard).toString(), expected, `in pieces of ${piece}`);
  }
});

test('a payload is given as far as it has come', () => {
  const frames = new FrameSplitter();
  assert.deepEqual(frames.split(frame(1, 'half of it').subarray(0, 12)).map(String), ['half']);
  assert.deepEqual(frames.split(Buffer.from(' of it')).map(String), [' of it']);
});
