import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConsoleBench, soon, type Talk } from './console-bench.ts';
import { FakeConsole } from './fake-console.ts';

const allBytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const said = ({ frames }: Talk) => Buffer.concat(frames);

test('bytes of text and of binary frames reach the process unchanged, whether or not they are UTF-8', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { socket, console } = await bench.talk();
  socket.send('echo größer\n');
  socket.send(allBytes, { binary: true });
  socket.send(Buffer.alloc(0));
  socket.send(allBytes, { binary: false });
  const expected = Buffer.concat([Buffer.from('echo größer\n'), allBytes, allBytes]);
  await soon('all is read', () => console.got.length >= expected.length);
  assert.deepEqual(console.got, expected);
});

test('what the process writes comes as binary frames, none empty, none above 64 KiB', async (t) => {
  const bench = await ConsoleBench.open(t);
  const talk = await bench.talk();
  const isBinary: boolean[] = [];
  talk.socket.on('message', (_data, binary) => isBinary.push(binary));
  const much = Buffer.concat(Array.from({ length: 1000 }, () => allBytes));
  talk.console.write('first ');
  talk.console.write(much);
  talk.console.write('last');
  const expected = Buffer.concat([Buffer.from('first '), much, Buffer.from('last')]);
  await soon('all has come', () => said(talk).length >= expected.length);
  assert.deepEqual(said(talk), expected);
  assert.ok(talk.frames.every(({ length }) => length > 0 && length <= 65_536));
  assert.ok(isBinary.every(Boolean));
});

test('no frame ends within a character, wherever the process was read', async (t) => {
  const bench = await ConsoleBench.open(t);
  const talk = await bench.talk();
  const text = 'aé€😀'.repeat(20_000);
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += 70_001) talk.console.write(bytes.subarray(start, start + 70_001));
  await soon('all has come', () => said(talk).length >= bytes.length);
  const strict = new TextDecoder('utf-8', { fatal: true });
  assert.equal(talk.frames.map((frame) => strict.decode(frame)).join(''), text);
});

test('what looks like half a character waits for a moment, and not for the rest when there is none', async (t) => {
  const bench = await ConsoleBench.open(t);
  const talk = await bench.talk();
  talk.console.write(Buffer.from([0x61, 0xe9]));
  await soon('the whole has come', () => said(talk).length === 1);
  await bench.clock.advance(50);
  await soon('the rest has come', () => said(talk).length === 2);
  talk.console.write(Buffer.from([0xc3]));
  talk.console.end();
  assert.equal(await talk.closed, '1000 Target closed');
  assert.deepEqual(said(talk), Buffer.from([0x61, 0xe9, 0xc3]));
});

test('a client that does not read holds up the process, and then gets everything', async (t) => {
  const bench = await ConsoleBench.open(t);
  const talk = await bench.talk({ console: new FakeConsole({ endless: true }) });
  talk.socket.pause();
  // Until nothing more is asked of the process: sockets of this machine and the proxy are full.
  let before = -1;
  await soon('it is held up', () => {
    const same = talk.console.produced === before;
    before = talk.console.produced;
    return same && before > 0;
  });
  const most = 32 * 1024 * 1024;
  assert.ok(talk.console.produced < most, `${talk.console.produced} bytes were read for nobody`);
  talk.socket.resume();
  await soon('it goes on', () => talk.frames.reduce((sum, { length }) => sum + length, 0) > most);
  talk.socket.terminate();
});

test('a process that does not read holds up the client, and then gets everything', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { socket, console, closed } = await bench.talk({ console: new FakeConsole({ reads: false }) });
  const piece = Buffer.alloc(256 * 1024, 'y');
  const pieces = 100;
  for (let count = 0; count < pieces; count += 1) socket.send(piece);
  await soon('it is held up', () => console.input.writableLength >= 1024 * 1024);
  await bench.timePasses(1_000);
  assert.ok(socket.bufferedAmount > 0, 'the rest waits at the client');
  assert.ok(console.input.writableLength < 2 * 1024 * 1024);
  console.readOn();
  await soon('all is read', () => console.gotBytes === pieces * piece.length);
  socket.close();
  await closed;
});

test('a frame of more than 1 MiB ends the console', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { socket, console, closed } = await bench.talk();
  socket.send(Buffer.alloc(1024 * 1024 + 1));
  assert.match(await closed, /^1009 /);
  await soon('the process is let go of', () => console.closes > 0);
  assert.match(String((await bench.line('console closed')).detail), /payload/i);
});

test('a ping is answered', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { socket } = await bench.talk();
  const pong = new Promise((resolve) => socket.once('pong', (data: Buffer) => resolve(data.toString())));
  socket.ping('hi');
  assert.equal(await pong, 'hi');
});
