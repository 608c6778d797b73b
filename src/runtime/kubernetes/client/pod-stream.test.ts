import assert from 'node:assert/strict';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { StandingClock } from '../../../../test/bench/standing-clock.ts';
import { FakeApiServer, type SocketAnswer } from '../../../../test/kubernetes-fake/fake-api-server.ts';
import { exited, FakeProcess, success } from '../../../../test/kubernetes-fake/fake-process.ts';
import { settled } from '../../../../test/kubernetes-fake/settled.ts';
import { until } from '../../../../test/system/engine/until.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import { KubeClient } from './kube-client.ts';
import type { PodProcess } from './pod-connection.ts';
import { openPodStream } from './pod-stream.ts';
import { type PodCommand, runInPod } from './run-in-pod.ts';

async function setUp(run: (process: FakeProcess) => void = () => {}, protocol?: string) {
  const stack = new AsyncDisposableStack();
  const fake = stack.use(await FakeApiServer.start());
  const clock = new StandingClock();
  const client = new KubeClient(fake.config(), undefined, clock);
  stack.defer(() => client.close());
  const processes: FakeProcess[] = [];
  const urls: URL[] = [];
  fake.answerSocket = (url): SocketAnswer => {
    urls.push(url);
    const begin = (socket: WebSocket) => {
      const process = new FakeProcess(socket);
      processes.push(process);
      run(process);
    };
    return { run: begin, ...(protocol === undefined ? {} : { protocol }) };
  };
  const target = { namespace: 'n', pod: 'p', container: 'main' };
  const open = (options: Partial<PodProcess> & { signal?: AbortSignal } = {}) =>
    openPodStream(client, { ...target, kind: 'exec', command: ['cat', 'a b'], stdin: true, tty: false, ...options });
  const command = (options: Partial<PodCommand> = {}) => runInPod(client, { ...target, command: ['true'], clock, ...options });
  const process = () => until('the process is there', async () => processes[0] ?? null);
  return { fake, client, clock, urls, open, command, process, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('a process is asked for with its command word by word, its streams and the newest protocol', async () => {
  await using bench = await setUp((process) => process.end(success));
  await (await bench.open()).ended;
  await (await bench.open({ kind: 'attach', stdin: false, tty: true })).ended;
  assert.deepEqual(
    bench.urls.map(({ pathname, searchParams }) => [pathname, [...searchParams].map((pair) => pair.join('=')).join(' ')]),
    [
      ['/api/v1/namespaces/n/pods/p/exec', 'container=main command=cat command=a b stdin=true stdout=true stderr=true tty=false'],
      ['/api/v1/namespaces/n/pods/p/attach', 'container=main stdin=false stdout=true stderr=false tty=true'],
    ],
  );
});

test('output, input, its end and sizes travel on their channels, and the exit code comes last', async () => {
  await using bench = await setUp();
  const stream = await bench.open();
  const process = await bench.process();
  process.write(1, 'out');
  process.write(2, 'err');
  stream.resize(101, 33);
  stream.stdin.write('ping');
  stream.stdin.end('pong');
  await until('the input has ended', async () => (process.inputEnded ? true : null));
  assert.equal(process.input().toString(), 'pingpong');
  assert.deepEqual(JSON.parse(String(process.received.find(([channel]) => channel === 4)?.[1])), { Width: 101, Height: 33 });
  process.end(exited(3));
  assert.deepEqual(await stream.ended, { exitCode: 3, error: null });
  assert.deepEqual([await text(stream.stdout), await text(stream.stderr)], ['out', 'err']);
});

test('output that the server sends behind the status is not lost', async () => {
  await using bench = await setUp((process) => {
    process.write(3, JSON.stringify(success));
    process.write(1, 'late');
    process.socket.close(1000);
  });
  const stream = await bench.open();
  assert.equal(await text(stream.stdout), 'late');
  assert.deepEqual(await stream.ended, { exitCode: 0, error: null });
});

test('a server that does not close after the status is not waited for', async () => {
  await using bench = await setUp((process) => process.write(3, JSON.stringify(exited(1))));
  const stream = await bench.open();
  await bench.process();
  await until('it has ended', async () => {
    await bench.clock.advance(1_000);
    return stream.stdin.destroyed ? true : null;
  });
  assert.deepEqual(await stream.ended, { exitCode: 1, error: null });
});

test('a connection that is lost is a fault and no exit code, for outputs and input, too', async () => {
  await using bench = await setUp((process) => process.write(1, 'half'));
  const stream = await bench.open();
  const [read] = [text(stream.stdout), text(stream.stderr)].map((each) => assert.rejects(each, { kind: 'unreachable' }));
  await bench.process();
  bench.fake.cut();
  await assert.rejects(stream.ended, {
    name: 'RuntimeFault',
    kind: 'unreachable',
    message: /^The connection to the process in the Pod was lost: /,
  });
  await read;
  assert.equal(stream.stdin.destroyed, true);
});

test('a close without a status, and a status that is none, are faults', async () => {
  for (const run of [(process: FakeProcess) => process.socket.close(1000), (process: FakeProcess) => process.end(Buffer.from('<'))]) {
    await using bench = await setUp(run);
    await assert.rejects((await bench.open()).ended, { name: 'RuntimeFault' });
  }
});

test('a connection that went silent is given up, one that answers pings is not', async () => {
  for (const answers of [true, false]) {
    await using bench = await setUp();
    const stream = await bench.open();
    const { socket } = await bench.process();
    if (!answers) socket.pause();
    let pings = 0;
    socket.on('ping', () => {
      pings++;
    });
    for (let time = 0; time < 8; time++) {
      await bench.clock.advance(20_000);
      if (answers) await until('the ping is answered', async () => (pings > time ? true : null));
    }
    if (answers) assert.equal(stream.stdin.destroyed, false);
    else await assert.rejects(stream.ended, { kind: 'unreachable', message: /it went silent/ });
  }
});

test('more input than a process reads is no silence, until the next ping is answered', async () => {
  await using bench = await setUp();
  const stream = await bench.open();
  const { socket } = await bench.process();
  socket.pause();
  stream.stdin.write(Buffer.alloc(128 * 1024));
  for (let time = 0; time < 8; time++) await bench.clock.advance(20_000);
  assert.equal(stream.stdin.destroyed, false);
  let pings = 0;
  socket.on('ping', () => {
    pings++;
  });
  socket.resume();
  await until('the pings are answered', async () => (pings === 8 ? true : null));
  await bench.clock.advance(20_000);
  await until('one more is', async () => (pings === 9 ? true : null));
  socket.pause();
  for (let time = 0; time < 12; time++) await bench.clock.advance(20_000);
  await assert.rejects(stream.ended, { kind: 'unreachable', message: /it went silent/ });
});

test('refusals are faults, and nothing is left open', async () => {
  await using bench = await setUp();
  const body = JSON.stringify({ kind: 'Status', code: 404, reason: 'NotFound', message: 'pods "p" not found' });
  bench.fake.answerSocket = () => ({ refuse: { code: 404, body } });
  await assert.rejects(bench.open(), { name: 'RuntimeFault', kind: 'not-found', message: 'pods "p" not found' });
  bench.fake.answerSocket = () => ({ refuse: { code: 502, body: '<html>' } });
  await assert.rejects(bench.open(), { kind: 'unreachable', message: '<html>' });
  await until('nothing is open', async () => (bench.fake.sockets.size === 0 ? true : null));
});

test('the signal ends it at any time', async () => {
  await using bench = await setUp();
  const caller = new AbortController();
  const stream = await bench.open({ signal: caller.signal });
  await bench.process();
  caller.abort(new RuntimeFault('conflict', 'over'));
  await assert.rejects(stream.ended, { kind: 'conflict', message: 'over' });
  await assert.rejects(bench.open({ signal: caller.signal }), { kind: 'conflict', message: 'over' });
});

test('close lets go, and nobody has to wait for the end', async () => {
  await using bench = await setUp();
  const stream = await bench.open();
  const { socket } = await bench.process();
  stream.close();
  await once(socket, 'close');
});

test('while one output is full nothing is received; what is read or destroyed makes room', async () => {
  await using bench = await setUp();
  const stream = await bench.open();
  const process = await bench.process();
  const piece = Buffer.alloc(32 * 1024, 'x');
  let left = 0;
  const pour = () => process.write(1, piece, () => ++left < 1_000 && pour());
  pour();
  await settled(() => left);
  assert.ok(left > 0 && left < 750, `${left} of 1000 pieces left`);
  for (let index = 0; index < 100; index++) process.write(2, piece);
  stream.stderr.destroy();
  const all = buffer(stream.stdout);
  await until('all has left', async () => (left === 1_000 ? true : null), 60_000);
  process.end(success);
  assert.equal((await all).length, 1_000 * piece.length);
  assert.deepEqual(await stream.ended, { exitCode: 0, error: null });
});

test('an output that nobody wants is destroyed, and holds nothing up', async () => {
  await using bench = await setUp();
  const stream = await bench.open();
  const process = await bench.process();
  const piece = Buffer.alloc(32 * 1024, 'x');
  for (let index = 0; index < 100; index++) process.write(2, piece);
  await until('stderr is full', async () => (stream.stderr.readableLength >= 256 * 1024 ? true : null));
  stream.stderr.destroy();
  process.write(1, 'out');
  process.end(success);
  assert.equal(await text(stream.stdout), 'out');
});

test('a process that does not read keeps the writer waiting', async () => {
  await using bench = await setUp();
  const stream = await bench.open();
  const process = await bench.process();
  process.socket.pause();
  let written = 0;
  const write = () => {
    while (written < 32_000_000) {
      written += 64_000;
      if (!stream.stdin.write(Buffer.alloc(64_000, 'x'))) return;
    }
    stream.stdin.end();
  };
  stream.stdin.on('drain', write);
  write();
  await settled(() => written);
  assert.ok(written < 24_000_000, `${written}`);
  process.socket.resume();
  await until('all has come', async () => (process.inputEnded ? true : null), 60_000);
  assert.equal(process.input().length, 32_000_000);
});

test('without stdin nothing is written', async () => {
  await using bench = await setUp();
  const stream = await bench.open({ stdin: false });
  const failed = once(stream.stdin, 'error');
  stream.stdin.write('x');
  const [error] = await failed;
  assert.equal(error.kind, 'invalid');
  assert.deepEqual((await bench.process()).received, []);
});

test('a command is run: outputs apart and as they came, input to its end, exit code', async () => {
  const input = Buffer.alloc(300_000, 'i');
  await using bench = await setUp((process) => {
    const answer = () => {
      if (!process.inputEnded) return;
      process.write(1, 'a');
      process.write(2, 'b');
      process.write(1, 'c');
      process.end(exited(9));
    };
    process.socket.on('message', answer);
  });
  const result = await bench.command({ input });
  const { output, stdout, stderr, exitCode, refusal } = result;
  assert.deepEqual([output, stdout, stderr].map(String), ['abc', 'ac', 'b']);
  assert.deepEqual([exitCode, refusal], [9, null]);
  assert.deepEqual((await bench.process()).input(), input);
});

test('a command that cannot be started is told as Docker does', async () => {
  const words =
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "nope": executable file not found in $PATH: unknown';
  await using bench = await setUp((process) => process.end({ status: 'Failure', code: 500, message: `Internal error occurred: ${words}` }));
  const { output, exitCode, refusal } = await bench.command();
  assert.deepEqual([String(output), exitCode, refusal], [`${words}\r\n`, 126, words]);
});

test('a command that takes too long, writes too much or whose caller leaves is given up', async () => {
  await using bench = await setUp((process) => process.write(1, 'too much'));
  await assert.rejects(bench.command({ maxBytes: 7 }), { kind: 'failed', message: 'The command wrote more than 7 bytes.' });
  const slow = assert.rejects(bench.command({ deadlineMs: 5_000 }), { kind: 'timeout', message: 'The command did not end within 5 s.' });
  await bench.process();
  await bench.clock.advance(5_000);
  await slow;
  const caller = new AbortController();
  const left = assert.rejects(bench.command({ deadlineMs: 5_000, signal: caller.signal }), { kind: 'conflict' });
  caller.abort(new RuntimeFault('conflict', 'over'));
  await left;
});

test('a command with input is refused by a server that cannot end it', async () => {
  await using bench = await setUp(undefined, 'v4.channel.k8s.io');
  await assert.rejects(bench.command({ input: Buffer.from('x') }), { kind: 'unsupported', message: /Kubernetes 1\.30 or newer/ });
});
