import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { UnansweredWindow } from './unanswered-window.ts';

function setUp(size: number) {
  const window = new UnansweredWindow(size);
  const bench = { window, sent: '', isDone: false };
  const send = async (text: string) => {
    bench.isDone = false;
    await window.send(Buffer.from(text), async (piece) => {
      bench.sent += piece.toString();
    });
    bench.isDone = true;
  };
  return Object.assign(bench, { send });
}

test('no more is sent than the window is wide, and more as it is answered', async () => {
  const bench = setUp(4);
  const sending = bench.send('abcdefghij');
  await setImmediate();
  assert.deepEqual([bench.sent, bench.isDone], ['abcd', false]);
  bench.window.answered(3);
  await setImmediate();
  assert.equal(bench.sent, 'abcdefg');
  // More than was asked makes the window no wider.
  bench.window.answered(100);
  await setImmediate();
  assert.equal(bench.sent, 'abcdefghij');
  await sending;
  void bench.send('klmno');
  await setImmediate();
  assert.equal(bench.sent, 'abcdefghijk');
});

test('who waits goes on when nobody is there any more, and sends nothing', async () => {
  const bench = setUp(2);
  const sending = bench.send('abcd');
  await setImmediate();
  bench.window.end();
  await sending;
  await bench.send('ef');
  assert.equal(bench.sent, 'ab');
});
