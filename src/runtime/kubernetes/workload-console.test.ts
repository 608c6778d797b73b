import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { exited, FakeProcess, success } from '../../../test/kubernetes-fake/fake-process.ts';
import { runtimeOnFake } from '../../../test/kubernetes-fake/runtime-on-fake.ts';
import { settled } from '../../../test/kubernetes-fake/settled.ts';
import { until } from '../../../test/system/engine/until.ts';
import type { WorkloadSpec } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';

/** A workload that runs, and the processes that are asked for in its Pod; each does what `run` says. */
async function setUp(wishes: Partial<WorkloadSpec> = {}, run: (process: FakeProcess) => void = () => {}) {
  const bench = await runtimeOnFake();
  const processes: FakeProcess[] = [];
  const urls: URL[] = [];
  const offered: unknown[] = [];
  bench.fake.answerSocket = (url, headers) => {
    urls.push(url);
    offered.push(headers['sec-websocket-protocol']);
    const begin = (process: FakeProcess) => {
      processes.push(process);
      run(process);
    };
    return { run: (socket) => begin(new FakeProcess(socket)) };
  };
  const uuid = await bench.created(wishes);
  await bench.runtime.start(uuid);
  const process = () => until('the process is there', async () => processes[0] ?? null);
  return Object.assign(bench, { uuid, urls, offered, process });
}

const shell = { kind: 'exec', command: ['sh', '-c', 'a b'], interactive: true } as const;
const plain = { ...shell, interactive: false };
const attach = { kind: 'attach' } as const;
const asked = (url: URL | undefined) => [...(url?.searchParams ?? [])].map((pair) => pair.join('=')).join(' ');

test('an exec that is interactive has a terminal and stdin, another has neither', async () => {
  await using bench = await setUp({}, (process) => process.end(success));
  for (const target of [shell, plain]) assert.equal(await text((await bench.runtime.openConsole(bench.uuid, target)).output), '');
  const command = 'container=main command=sh command=-c command=a b';
  assert.deepEqual(bench.urls.map(asked), [
    `${command} stdin=true stdout=true stderr=false tty=true`,
    `${command} stdin=false stdout=true stderr=true tty=false`,
  ]);
  assert.equal(bench.urls[0]?.pathname, `/api/v1/namespaces/zun-project/pods/zun-${bench.uuid}/exec`);
  // API servers hand this one on to the node, and translate the newest.
  assert.deepEqual(bench.offered, ['v4.channel.k8s.io', 'v4.channel.k8s.io']);
});

const specs: [Partial<WorkloadSpec>, string][] = [
  [{ interactive: true, tty: true }, 'stdin=true stdout=true stderr=false tty=true'],
  [{ interactive: true, tty: false }, 'stdin=true stdout=true stderr=true tty=false'],
  [{ interactive: false, tty: true }, 'stdin=false stdout=true stderr=false tty=true'],
  [{ interactive: false, tty: false }, 'stdin=false stdout=true stderr=true tty=false'],
];
for (const [wishes, streams] of specs)
  test(`an attach asks for what the container has: ${streams}`, async () => {
    await using bench = await setUp(wishes, (process) => process.end(success));
    assert.equal(await text((await bench.runtime.openConsole(bench.uuid, attach)).output), '');
    assert.equal(asked(bench.urls[0]), `container=main ${streams}`);
    assert.equal(bench.urls[0]?.pathname, `/api/v1/namespaces/zun-project/pods/zun-${bench.uuid}/attach`);
  });

test('both outputs come in the order in which they came, and then the end', async () => {
  await using bench = await setUp({}, (process) => {
    for (const [index, word] of ['a', 'b', 'c', 'd', 'e'].entries()) process.write(1 + (index % 2), word);
    process.end(exited(3));
  });
  assert.equal(await text((await bench.runtime.openConsole(bench.uuid, plain)).output), 'abcde');
});

test('input travels and its end does not, as that would end the output', async () => {
  for (const target of [shell, attach]) {
    await using bench = await setUp({ interactive: true, tty: true });
    const console = await bench.runtime.openConsole(bench.uuid, target);
    const process = await bench.process();
    console.input.end('typed');
    await once(console.input, 'finish');
    await console.resize({ width: 101, height: 33 });
    await until('what came later has come', async () => (process.sizes.length > 0 ? true : null));
    assert.deepEqual([process.input().toString(), process.inputEnded], ['typed', false]);
    process.write(1, 'goes on');
    process.end(success);
    assert.equal(await text(console.output), 'goes on');
  }
});

test('a size is told to a terminal, and to nothing else, nor to what has ended', async () => {
  await using bench = await setUp();
  const console = await bench.runtime.openConsole(bench.uuid, shell);
  const process = await bench.process();
  await console.resize({ width: 101, height: 33 });
  await until('the size has come', async () => (process.sizes.length > 0 ? true : null));
  assert.deepEqual(process.sizes, [{ Width: 101, Height: 33 }]);
  process.end(success);
  assert.equal(await text(console.output), '');
  await console.resize({ width: 1, height: 1 });
});

test('without a terminal no size is sent, and without stdin all input is swallowed', async () => {
  await using bench = await setUp();
  const console = await bench.runtime.openConsole(bench.uuid, plain);
  const process = await bench.process();
  await console.resize({ width: 101, height: 33 });
  console.input.end(Buffer.alloc(1_000_000));
  await once(console.input, 'finish');
  process.end(success);
  assert.equal(await text(console.output), '');
  assert.deepEqual(process.received, []);
});

test('the words of a command that cannot be started are its output', async () => {
  const words = 'OCI runtime exec failed: exec failed: exec: "nope": executable file not found in $PATH: unknown';
  const refuse = (process: FakeProcess) => process.end({ status: 'Failure', code: 500, message: `Internal error occurred: ${words}` });
  await using bench = await setUp({}, refuse);
  for (const target of [shell, plain])
    assert.equal(await text((await bench.runtime.openConsole(bench.uuid, target)).output), `${words}\r\n`);
});

test('while the output is not read, the process waits', async () => {
  await using bench = await setUp();
  const console = await bench.runtime.openConsole(bench.uuid, plain);
  const process = await bench.process();
  const piece = Buffer.alloc(32 * 1024, 'x');
  let left = 0;
  const pour = () => process.write(1 + (left % 2), piece, () => ++left < 1_000 && pour());
  pour();
  await settled(() => left);
  assert.ok(left > 0 && left < 750, `${left} of 1000 pieces left`);
  const all = text(console.output);
  await until('all has left', async () => (left === 1_000 ? true : null), 60_000);
  process.end(success);
  assert.equal((await all).length, 1_000 * piece.length);
});

test('a connection that is lost destroys the output with the fault, after what came before', async () => {
  await using bench = await setUp();
  const { output } = await bench.runtime.openConsole(bench.uuid, shell);
  const process = await bench.process();
  const read = assert.rejects(text(output), { name: 'RuntimeFault', kind: 'unreachable', message: /was lost/ });
  process.socket.terminate();
  await read;
});

test('who closes is told of no fault, and the signal of the opening ends nothing that is open', async () => {
  await using bench = await setUp();
  const caller = new AbortController();
  const console = await bench.runtime.openConsole(bench.uuid, shell, caller.signal);
  const process = await bench.process();
  caller.abort(new RuntimeFault('conflict', 'over'));
  process.write(1, 'still here');
  assert.equal(String((await once(console.output, 'data'))[0]), 'still here');
  const gone = once(process.socket, 'close');
  const faults: unknown[] = [];
  console.output.on('error', (error) => faults.push(error));
  console.close();
  console.close();
  await gone;
  console.input.write('for nobody');
  await console.resize({ width: 1, height: 1 });
  assert.deepEqual(faults, []);
});

test('an opening is ended by its signal, before and while it is asked for', async () => {
  await using bench = await setUp();
  const reason = new RuntimeFault('conflict', 'over');
  await assert.rejects(bench.runtime.openConsole(bench.uuid, shell, AbortSignal.abort(reason)), { kind: 'conflict', message: 'over' });
  assert.equal(bench.urls.length, 0);
  const caller = new AbortController();
  bench.fake.answerSocket = () => {
    caller.abort(reason);
    return { run: () => {} };
  };
  await assert.rejects(bench.runtime.openConsole(bench.uuid, shell, caller.signal), { kind: 'conflict', message: 'over' });
});

test('what does not run is a conflict, and no record is asked for', async () => {
  await using bench = await setUp();
  const rests = await bench.created();
  const ended = await bench.created();
  await bench.runtime.start(ended);
  await bench.runtime.stop(ended, 1);
  const before = bench.fake.asked.length;
  for (const uuid of [rests, ended])
    for (const target of [attach, shell])
      await assert.rejects(bench.runtime.openConsole(uuid, target), { kind: 'conflict', message: `Container ${uuid} is not running` });
  const since = bench.fake.asked.slice(before);
  assert.deepEqual(
    since.filter(({ path }) => !path.includes('/pods/')).map(({ path }) => path),
    [],
  );
  await bench.runtime.remove(ended);
  await assert.rejects(bench.runtime.openConsole(ended, attach), { kind: 'not-found' });
});

test('refusals at the opening, and a server that is gone then, are faults', async () => {
  await using bench = await setUp();
  const body = JSON.stringify({
    kind: 'Status',
    code: 403,
    reason: 'Forbidden',
    message: 'pods "p" is forbidden: User "u" cannot create pods/exec',
  });
  bench.fake.answerSocket = () => ({ refuse: { code: 403, body } });
  await assert.rejects(bench.runtime.openConsole(bench.uuid, shell), { name: 'RuntimeFault' });
  bench.fake.answerSocket = () => ({ refuse: { code: 500, body: 'container main not found in pod p' } });
  await assert.rejects(bench.runtime.openConsole(bench.uuid, attach), { name: 'RuntimeFault', kind: 'conflict' });
  bench.fake.answerSocket = () => ({ refuse: { code: 502, body: '<html>' } });
  await assert.rejects(bench.runtime.openConsole(bench.uuid, attach), { kind: 'unreachable' });
  bench.fake.answerSocket = () => {
    bench.fake.cut();
    return { refuse: { code: 500, body: 'nobody hears it' } };
  };
  await assert.rejects(bench.runtime.openConsole(bench.uuid, attach), { name: 'RuntimeFault', kind: 'unreachable' });
});
