import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlite } from '../../src/db/dialect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { resizeConsoles } from '../../src/features/consoles/console-store.ts';
import { RuntimeFault } from '../../src/runtime/runtime-fault.ts';
import { ConsoleBench, containerUuid, soon } from './console-bench.ts';
import { FakeConsole } from './fake-console.ts';

const browser = { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101' } };

test('the end of the process is told after all its output, and nothing is left of the console', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { console, frames, closed, socket } = await bench.talk();
  socket.send('12345');
  await soon('it is read', () => console.got.length === 5);
  console.write(Buffer.alloc(3_000_000, 'z'));
  console.end();
  assert.equal(await closed, '1000 Target closed');
  assert.equal(Buffer.concat(frames).length, 3_000_000);
  const line = await bench.line('console closed');
  const { outcome, container, console: kind, bytes_in, bytes_out } = line;
  assert.deepEqual(
    { outcome, container, kind, bytes_in, bytes_out },
    { outcome: 'target-closed', container: containerUuid, kind: 'attach', bytes_in: 5, bytes_out: 3_000_000 },
  );
  assert.deepEqual(bench.observed, ['opened', 'ended target-closed']);
  assert.equal(console.closes > 0, true);
  assert.deepEqual(await bench.rows(), []);
  assert.equal(bench.server.size, 0);
});

test('a client that closes or is cut off lets go of the process', async (t) => {
  const bench = await ConsoleBench.open(t);
  for (const leave of ['close', 'terminate'] as const) {
    const { socket, console } = await bench.talk();
    socket[leave]();
    await soon('the process is let go of', () => console.closes > 0);
    assert.equal((await bench.line('console closed')).outcome, 'client-closed');
    bench.lines.length = 0;
  }
});

test('a client that goes while its console is being opened leaves nothing behind', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { promise, resolve } = Promise.withResolvers<FakeConsole>();
  bench.opens = () => promise;
  const socket = bench.connect((await bench.promise()).query);
  socket.on('error', () => {});
  await soon('it is asked', () => bench.asked.length === 1);
  socket.terminate();
  const console = new FakeConsole();
  resolve(console);
  await soon('the process is let go of', () => console.closes > 0);
  await soon('nothing is open', () => bench.server.size === 0);
});

test('the loss of the engine is said with 1011', async (t) => {
  const bench = await ConsoleBench.open(t);
  const first = await bench.talk();
  first.console.output.destroy(new RuntimeFault('unreachable', 'the socket of the engine is gone'));
  assert.equal(await first.closed, '1011 The way to the process was lost');
  const line = await bench.line('console closed');
  assert.deepEqual([line.outcome, line.detail], ['runtime-lost', 'the socket of the engine is gone']);
  const second = await bench.talk();
  second.console.output.destroy();
  assert.match(await second.closed, /^1011 /);
});

test('the loss of the engine between opening and the handshake is said all the same', async (t) => {
  const bench = await ConsoleBench.open(t);
  const console = new FakeConsole();
  bench.opens = async () => {
    setImmediate(() => console.output.destroy(new RuntimeFault('unreachable', 'gone at once')));
    return console;
  };
  const { id, query } = await bench.promise();
  // The look at its size comes between.
  await bench.database.queries.updateTable('openkeel_console').set({ width: 80, height: 24 }).where('id', '=', id).execute();
  const socket = bench.connect(query);
  const closed = await new Promise((resolve) => socket.once('close', (code, reason) => resolve(`${code} ${reason}`)));
  assert.equal(closed, '1011 The way to the process was lost');
  assert.equal((await bench.line('console closed')).detail, 'gone at once');
});

test('a process that closes its input goes on being heard', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { socket, console, frames, closed } = await bench.talk();
  console.input.destroy(new Error('EPIPE'));
  socket.send('nobody reads this');
  await bench.timePasses(250);
  console.write('but it speaks');
  await soon('it is heard', () => Buffer.concat(frames).toString() === 'but it speaks');
  console.end();
  assert.match(await closed, /^1000 /);
});

test('a console in which nothing moves is closed, and one in which anything does is not', async (t) => {
  const bench = await ConsoleBench.open(t, { idleSeconds: 60 });
  const { socket, console, frames, closed } = await bench.talk();
  await bench.timePasses(59_000, 1_000);
  console.write('.');
  await soon('it has come', () => frames.length === 1);
  await bench.timePasses(59_000, 1_000);
  socket.send('.');
  await soon('it is read', () => console.got.length === 1);
  await bench.timePasses(59_000, 1_000);
  assert.equal(console.closes, 0);
  await bench.timePasses(1_000);
  assert.equal(await closed, '1001 Idle for too long');
  assert.equal((await bench.line('console closed')).outcome, 'idle');
});

test('a browser is pinged, and given up when it does not answer', async (t) => {
  const bench = await ConsoleBench.open(t);
  const answering = await bench.talk(browser);
  let pings = 0;
  answering.socket.on('ping', () => {
    pings += 1;
  });
  for (let minute = 0; minute < 3; minute += 1) {
    const before = pings;
    await bench.timePasses(20_000, 1_000);
    await soon('it is pinged', () => pings > before);
  }
  const silent = await bench.talk({ ...browser, autoPong: false });
  await bench.timePasses(64_000, 1_000);
  assert.equal(silent.console.closes, 0);
  await bench.timePasses(2_000);
  assert.match(await silent.closed, /^1006/);
  assert.equal((await bench.line('console closed')).outcome, 'client-lost');
  assert.equal(answering.console.closes, 0);
});

test('what is no browser is not pinged: python-zunclient would wait for output then', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { socket, console } = await bench.talk({ headers: { 'user-agent': 'python' } });
  let pings = 0;
  socket.on('ping', () => {
    pings += 1;
  });
  await bench.timePasses(300_000, 1_000);
  assert.deepEqual([pings, console.closes], [0, 0]);
});

test('a size that was asked for before is the first, and later ones follow, for each console its own', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { queries } = bench.database;
  const target = { kind: 'exec', command: ['sh'], interactive: true } as const;
  const { id, query } = await bench.promise(target);
  const resize = (size: { width: number; height: number }) =>
    resizeConsoles(queries, { containerUuid, execId: id }, size, bench.clock.now());
  await resize({ width: 90, height: 30 });
  const run = await bench.talk({ query });
  const attached = await bench.talk();
  assert.deepEqual(bench.asked, [target, { kind: 'attach' }]);
  await soon('it has its size', () => run.console.sizes.length === 1);
  await bench.timePasses(1_000);
  await resize({ width: 120, height: 40 });
  await bench.timePasses(500);
  await soon('it has its new size', () => run.console.sizes.length === 2);
  await bench.timePasses(1_000);
  assert.deepEqual(run.console.sizes, [
    { width: 90, height: 30 },
    { width: 120, height: 40 },
  ]);
  assert.deepEqual(attached.console.sizes, []);
});

test('an open console is kept for as long as it is, however short a promise is good for', async (t) => {
  const bench = await ConsoleBench.open(t, { tokenSeconds: 30 });
  const { console } = await bench.talk();
  await bench.timePasses(20 * 60_000, 15_000);
  const [row] = await bench.rows();
  assert.ok(row && row.expires_at > bench.clock.now() + 3 * 60_000);
  assert.equal(console.closes, 0);
});

test('consoles go on without the database, which is asked for sizes again when it is back', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { console, frames } = await bench.talk();
  await bench.database.queries.schema.alterTable('openkeel_console').renameTo('away').execute();
  await bench.timePasses(2_000);
  assert.equal(bench.lines.filter(({ msg }) => /they go on without/.test(msg)).length, 1);
  console.write('still here');
  await soon('it is heard', () => Buffer.concat(frames).toString() === 'still here');
  await bench.database.queries.schema.alterTable('away').renameTo('openkeel_console').execute();
  await resizeConsoles(bench.database.queries, { containerUuid, execId: null }, { width: 80, height: 24 }, bench.clock.now());
  await bench.timePasses(1_000);
  await soon('it has its size', () => console.sizes.length === 1);
});

test('a round costs one query for all that are open, and none when none is', async (t) => {
  const statements: string[] = [];
  const dialect = sqlite(':memory:');
  const database = openDatabase(dialect, ({ query }) => statements.push(query.sql.split(' ')[0] ?? ''));
  await migrate(database, dialect);
  const bench = await ConsoleBench.open(t, {}, {}, database);
  const took = async (work: () => Promise<unknown>) => {
    statements.length = 0;
    await work();
    return statements.join(' ');
  };
  const talks = [await bench.talk(), await bench.talk(), await bench.talk()];
  assert.equal(await took(() => bench.timePasses(1_000)), 'select select select select');
  await bench.timePasses(58_000);
  assert.match(await took(() => bench.timePasses(2_000)), /^(select )+update( select)+$/);
  for (const { socket } of talks) socket.close();
  await soon('none is open', () => bench.server.size === 0);
  await bench.timePasses(1_000);
  assert.equal(await took(() => bench.timePasses(60_000)), '');
  const { query } = await bench.promise();
  assert.equal(await took(() => bench.talk({ query })), 'select update select');
});

test('the end of the program is told to all, and processes go on', async (t) => {
  const bench = await ConsoleBench.open(t);
  const [one, two] = [await bench.talk(), await bench.talk({ console: new FakeConsole({ reads: false }) })];
  const silent = await bench.talk();
  silent.socket.pause();
  two.socket.send(Buffer.alloc(1024 * 1024));
  const closing = bench.server.close();
  assert.equal(await one.closed, '1001 Going away');
  assert.equal(await two.closed, '1001 Going away');
  await bench.timePasses(2_000);
  await closing;
  assert.deepEqual(bench.observed.slice(3), ['ended stopped', 'ended stopped', 'ended stopped']);
  assert.deepEqual(await bench.rows(), []);
  silent.socket.terminate();
});

test('the end of the program ends what is being opened', async (t) => {
  const bench = await ConsoleBench.open(t);
  bench.opens = (signal) => new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const refusal = bench.refusal((await bench.promise()).query);
  await soon('it is asked', () => bench.asked.length === 1);
  await bench.server.close();
  assert.equal((await refusal).status, 503);
});
