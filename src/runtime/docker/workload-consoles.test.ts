import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { systemClock } from '../../telemetry/clock.ts';
import type { ConsoleTarget } from '../console.ts';
import { isFault } from '../runtime-fault.ts';
import { EngineClient } from './engine-client.ts';
import type { EngineTarget } from './engine-target.ts';
import { WorkloadConsoles } from './workload-consoles.ts';

const attach: ConsoleTarget = { kind: 'attach' };
const inTerminal: ConsoleTarget = { kind: 'exec', command: ['sh'], interactive: true };

/** An engine with one container, whose processes the test plays: it has the engine's end of every connection that was handed over. */
async function setUp(kind: EngineTarget['kind'], config: { Tty: boolean; OpenStdin: boolean } = { Tty: true, OpenStdin: true }) {
  const bench = {
    connections: [] as Duplex[],
    asked: [] as string[],
    /** Sizes that are refused before one is taken. */
    refusedSizes: 0,
    /** How the engine answers who wants a connection. */
    handOver: (socket: Duplex, _request: IncomingMessage): void => {
      socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
    },
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/v1.41', '');
    bench.asked.push(`${request.method} ${path}`);
    if (path.includes('/resize') && bench.refusedSizes-- > 0) response.statusCode = 500;
    response.end(JSON.stringify({ Id: 'e1', State: { Running: true }, Config: config }));
  });
  server.on('upgrade', (request, socket: Duplex) => {
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    bench.connections.push(socket);
    bench.handOver(socket, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new EngineClient({ socketPath: null, origin: `http://127.0.0.1:${port}`, kind, apiVersion: '1.41' });
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    for (const socket of bench.connections) socket.destroy();
  };
  return Object.assign(bench, {
    client,
    stop,
    consoles: new WorkloadConsoles(client, systemClock),
    async [Symbol.asyncDispose]() {
      await client.close();
      await stop();
    },
  });
}

/** The error that the output was destroyed with; `null` for an end. */
async function failure(output: Readable): Promise<unknown> {
  output.resume();
  const failed = once(output, 'error').then(([error]) => error);
  const ended = once(output, 'end').then(
    () => null,
    (error) => error,
  );
  return Promise.race([failed, ended]);
}

test('an end of the connection is the end of the output while the engine answers, and a loss when it does not', async () => {
  await using bench = await setUp('docker');
  const first = await bench.consoles.open('c', attach);
  bench.connections[0]?.end('last words');
  assert.equal(await text(first.output), 'last words');

  const second = await bench.consoles.open('c', inTerminal);
  const lost = failure(second.output);
  await bench.stop();
  assert.ok(isFault(await lost, 'unreachable'));
  await second.resize({ width: 80, height: 24 });
  second.close();
});

test('the end of the client is a loss of its consoles', async () => {
  await using bench = await setUp('docker');
  const { output } = await bench.consoles.open('c', attach);
  const lost = failure(output);
  await bench.client.close();
  assert.ok(isFault(await lost, 'unreachable'));
});

test('what the engine says in the place of a connection is its fault', async () => {
  await using bench = await setUp('docker');
  bench.handOver = (socket) => {
    const body = '{"message":"Container c is paused, unpause the container before attach"}';
    socket.end(`HTTP/1.1 409 Conflict\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  };
  await assert.rejects(bench.consoles.open('c', attach), (error) => isFault(error, 'conflict') && /is paused/.test(error.message));
});

test('who gives up before the engine has answered leaves no connection behind', async () => {
  await using bench = await setUp('docker');
  const caller = new AbortController();
  bench.handOver = () => caller.abort();
  await assert.rejects(bench.consoles.open('c', attach, caller.signal), (error) => isFault(error, 'timeout'));
  const [socket] = bench.connections;
  socket?.resume();
  if (socket && !socket.closed) await once(socket, 'close');
  assert.equal(bench.connections.length, 1);
});

test('a closed console closes its connection on Docker; on Podman, where that would end stdin, the next one has it', async () => {
  for (const [kind, connections] of [
    ['docker', 2],
    ['podman', 1],
  ] as const) {
    await using bench = await setUp(kind, { Tty: false, OpenStdin: true });
    const first = await bench.consoles.open('c', attach);
    first.close();
    first.close();
    const second = await bench.consoles.open('c', attach);
    assert.equal(bench.connections.length, connections, kind);
    second.input.write('in');
    const socket = bench.connections.at(-1);
    assert.equal(String((await once(socket as Duplex, 'data'))[0]), 'in');
    socket?.end(Buffer.from('\x01\0\0\0\0\0\0\x03out'));
    assert.equal(await text(second.output), 'out');
    // It has ended, and nobody is given it again.
    second.close();
    await bench.consoles.open('c', attach);
    assert.equal(bench.connections.length, connections + 1, kind);
  }
});

test('a terminal that is not there yet takes its size when it is, and no size is sent after the end', async () => {
  await using bench = await setUp('podman');
  const console = await bench.consoles.open('c', inTerminal);
  bench.refusedSizes = 2;
  await console.resize({ width: 101, height: 37 });
  const sizes = () => bench.asked.filter((each) => each.includes('/resize'));
  assert.deepEqual(
    sizes(),
    Array.from({ length: 3 }, () => 'POST /exec/e1/resize?w=101&h=37'),
  );
  console.close();
  await console.resize({ width: 80, height: 24 });
  assert.equal(sizes().length, 3);
});

test('what is sent to a process without stdin does not reach the engine', async () => {
  await using bench = await setUp('docker', { Tty: false, OpenStdin: false });
  const console = await bench.consoles.open('c', attach);
  const [socket] = bench.connections;
  let heard = 0;
  socket?.on('data', (bytes: Buffer) => {
    heard += bytes.length;
  });
  console.input.end(Buffer.alloc(100_000));
  await once(console.input, 'finish');
  socket?.end();
  assert.equal(await text(console.output), '');
  assert.equal(heard, 0);
});
