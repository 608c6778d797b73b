import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ProcessStreams } from './process-streams.ts';

const never = new AbortController().signal;

test('a process waits for the slowest who listens, and not for who has left', async () => {
  const streams = new ProcessStreams({ tty: false, interactive: true });
  const [reads, waits, leaves] = [streams.open(), streams.open(), streams.open()];
  reads.output.resume();
  streams.write('stdout', Buffer.alloc(1_000_000));
  assert.equal(streams.isFull, true);
  let isDrained = false;
  const drained = streams.untilDrained(never).then(() => {
    isDrained = true;
  });
  leaves.close();
  await setImmediate();
  assert.equal(isDrained, false);
  waits.output.resume();
  await drained;
  assert.equal(streams.isFull, false);
});

test('a wait for who does not listen ends with the signal', async () => {
  const streams = new ProcessStreams({ tty: false, interactive: true });
  streams.open();
  streams.write('stdout', Buffer.alloc(1_000_000));
  const killed = new AbortController();
  const wait = streams.untilDrained(killed.signal);
  killed.abort();
  await wait;
  assert.equal(streams.isFull, true);
});

test('what is sent is taken as it is read, and all of it once the process has ended', async () => {
  const streams = new ProcessStreams({ tty: false, interactive: true });
  const { input, output } = streams.open();
  input.write('one');
  input.write('two');
  await setImmediate();
  assert.equal(input.writableLength, 6, 'the second waits behind the first');
  assert.equal(String(await streams.input?.read(never)), 'one');
  assert.equal(String(await streams.input?.read(never)), 'two');
  input.write('unread');
  streams.end();
  input.end('late');
  await once(input, 'finish');
  assert.equal(await text(output), '');
  assert.equal(await text(streams.open().output), '', 'one that comes late hears the end');
});

test('lines are read one by one, and what is left by whoever reads next', async () => {
  const { input } = new ProcessStreams({ tty: false, interactive: true });
  assert.ok(input);
  for (const piece of ['fi', 'rst\nsecond\nre', 'st']) input.write(Buffer.from(piece));
  assert.deepEqual([await input.readLine(never), await input.readLine(never)], ['first', 'second']);
  assert.equal(String(await input.read(never)), 're');
  input.close();
  assert.equal(await input.readLine(never), null);
});
