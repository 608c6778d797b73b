import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../telemetry/clock.ts';
import { randomIds } from '../../telemetry/ids.ts';
import type { RuntimeEvent, WorkloadSpec } from '../container-runtime.ts';
import { plainWorkload } from '../plain-workload.ts';
import { isFault, RuntimeFault } from '../runtime-fault.ts';
import { memoryImage } from './memory-image.ts';
import { MemoryImageStore } from './memory-image-store.ts';
import { MemoryRuntime, type MemoryRuntimeOptions } from './memory-runtime.ts';

const uuid = '6f3c1c52-9d3a-4d0e-8a6e-0d3a5e0c9a11';
const spec = plainWorkload({ uuid, image: 'busybox', command: ['sleep', 'infinity'] });

async function runtimeWith(hooks: Pick<MemoryRuntimeOptions, 'before' | 'after'> = {}): Promise<MemoryRuntime> {
  const images = new MemoryImageStore({ registry: { 'busybox:latest': { image: memoryImage('busybox') } } });
  await images.pull('busybox', 'latest', null);
  return new MemoryRuntime({ clock: systemClock, ids: randomIds, images, ...hooks });
}

test('a hook before a call makes it fail without effect', async () => {
  const runtime = await runtimeWith({
    before: (call) => {
      if (call === 'create') throw new RuntimeFault('unreachable', 'no engine');
    },
  });
  await assert.rejects(runtime.create(spec), (error) => isFault(error, 'unreachable'));
  assert.equal(await runtime.inspect(uuid), null);
});

test('a hook after a call makes it fail although it took effect', async () => {
  const runtime = await runtimeWith({
    after: (call) => {
      if (call === 'create') throw new RuntimeFault('unreachable', 'connection lost');
    },
  });
  await assert.rejects(runtime.create(spec), (error) => isFault(error, 'unreachable'));
  assert.equal((await runtime.inspect(uuid))?.state.status, 'created');
});

test('a caller whose signal aborts waits no longer', async () => {
  const runtime = await runtimeWith({ before: () => new Promise(() => {}) });
  const caller = new AbortController();
  const call = runtime.list(caller.signal);
  caller.abort();
  await assert.rejects(call, (error) => isFault(error, 'timeout'));
});

test('a workload that is removed while it restarts does not run on unseen', async () => {
  const runtime = await runtimeWith();
  const watching = new AbortController();
  const counts: Record<string, number> = {};
  const watch = async () => {
    for await (const { action } of runtime.events(watching.signal)) counts[action] = (counts[action] ?? 0) + 1;
  };
  const watched = watch();
  await runtime.create(spec);
  await runtime.start(uuid);
  const restarted = runtime.restart(uuid, 3600);
  await runtime.remove(uuid);
  await restarted.catch((error) => assert.ok(isFault(error, 'not-found')));
  await setImmediate();
  watching.abort();
  await watched;
  assert.equal(counts.start, counts.die);
  assert.equal(counts.destroy, 1);
});

test('a lost connection ends the event stream with what was told before', async () => {
  const runtime = await runtimeWith();
  const seen: RuntimeEvent[] = [];
  const watch = async () => {
    for await (const event of runtime.events(new AbortController().signal)) seen.push(event);
  };
  const watching = watch();
  await Promise.resolve();
  await runtime.create(spec);
  runtime.dropConnections();
  await assert.rejects(watching, (error) => isFault(error, 'unreachable'));
  assert.deepEqual(
    seen.map((event) => event.action),
    ['create'],
  );
});

test('a lost connection is a fault of the consoles that are open, whose processes go on', async () => {
  const runtime = await runtimeWith();
  await runtime.create({ ...spec, command: ['sh'], interactive: true });
  await runtime.start(uuid);
  const lost = await runtime.openConsole(uuid, { kind: 'attach' });
  const failed = once(lost.output, 'error');
  runtime.dropConnections();
  assert.ok(isFault((await failed)[0], 'unreachable'));
  const next = await runtime.openConsole(uuid, { kind: 'attach' });
  next.input.write('echo "still=$?"\n');
  assert.equal(String((await once(next.output, 'data'))[0]), 'still=0\n');
  await runtime.remove(uuid);
});

test('a console whose opening fails after it took effect is not left open: the process would wait for it', async () => {
  let fails = true;
  const runtime = await runtimeWith({
    after: (call) => {
      if (call === 'openConsole' && fails) throw new RuntimeFault('unreachable', 'connection lost');
    },
  });
  await runtime.create({ ...spec, command: ['cat'], interactive: true });
  await runtime.start(uuid);
  await assert.rejects(runtime.openConsole(uuid, { kind: 'attach' }), (error) => isFault(error, 'unreachable'));
  fails = false;
  const { input, output } = await runtime.openConsole(uuid, { kind: 'attach' });
  let come = 0;
  output.on('data', (bytes: Buffer) => {
    come += bytes.length;
  });
  for (let piece = 0; piece < 100; piece++) input.write(Buffer.alloc(10_000));
  await new Promise<void>((resolve) => input.end(resolve));
  await setImmediate();
  assert.equal(come, 1_000_000);
  await runtime.remove(uuid);
});

test('a workload that runs out of memory is killed and its state says why', async () => {
  const runtime = await runtimeWith();
  await runtime.create(spec);
  await runtime.start(uuid);
  runtime.runOutOfMemory(uuid);
  await runtime.stop(uuid, 1);
  const state = (await runtime.inspect(uuid))?.state;
  assert.deepEqual([state?.status, state?.exitCode, state?.oomKilled], ['exited', 137, true]);
});

test('a pull with the wrong login is denied, with the right one it is stored', async () => {
  const credentials = { username: 'u', password: 'p' };
  const images = new MemoryImageStore({ registry: { 'private:1': { image: memoryImage('private'), credentials } } });
  await assert.rejects(images.pull('private', '1', null), (error) => isFault(error, 'denied'));
  await assert.rejects(images.pull('private', '1', { username: 'u', password: 'x' }), (error) => isFault(error, 'denied'));
  assert.equal((await images.pull('private', '1', credentials)).id, memoryImage('private').id);
});

test('a volume keeps its files after the workload that wrote them is removed', async () => {
  const runtime = await runtimeWith();
  const mounts: WorkloadSpec['mounts'] = [{ kind: 'volume', source: 'vol', destination: '/data', readOnly: false }];
  await runtime.create({ ...spec, mounts });
  await runtime.start(uuid);
  await runtime.exec(uuid, ['sh', '-c', 'echo kept > /data/f'], 1000);
  await runtime.remove(uuid);
  await runtime.create({ ...spec, mounts });
  await runtime.start(uuid);
  assert.equal((await runtime.exec(uuid, ['cat', '/data/f'], 1000)).output.toString(), 'kept\n');
  await runtime.remove(uuid);
});
