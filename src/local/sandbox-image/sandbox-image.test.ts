import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MemoryImageStore } from '../../runtime/memory/memory-image-store.ts';
import { MemoryRuntime } from '../../runtime/memory/memory-runtime.ts';
import { systemClock } from '../../telemetry/clock.ts';
import { randomIds } from '../../telemetry/ids.ts';
import { pauseProgram } from './pause-program.ts';
import { sandboxImage } from './sandbox-image.ts';

test('the pause program runs on this machine until it is killed', async (t) => {
  const program = pauseProgram(process.arch === 'x64' ? 'x86_64' : process.arch);
  if (!program || process.platform !== 'linux') return t.skip(`no program for ${process.platform} ${process.arch}`);
  const folder = await mkdtemp(join(tmpdir(), 'zun-pause-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'pause');
  await writeFile(file, program, { mode: 0o755 });
  const ended = Promise.withResolvers<NodeJS.Signals | null>();
  const child = execFile(file, { timeout: 10_000 }, () => {});
  child.once('exit', (_code, signal) => ended.resolve(signal));
  await new Promise((resolve) => child.once('spawn', resolve));
  child.kill('SIGUSR1');
  assert.equal(await ended.promise, 'SIGUSR1');
});

test('each known architecture has a program of its own, others none', () => {
  for (const [name, machine] of Object.entries({ x86_64: 62, amd64: 62, aarch64: 183, arm64: 183 })) {
    const program = pauseProgram(name);
    assert.equal(program?.readUInt16LE(18), machine, name);
    assert.equal(program?.toString('latin1', 0, 4), '\x7fELF');
  }
  assert.equal(pauseProgram('riscv64'), null);
});

test('the sandbox image is loaded when the node has none, and only then', async () => {
  const calls: string[] = [];
  const images = new MemoryImageStore({ before: (call) => void calls.push(call) });
  const runtime = new MemoryRuntime({ clock: systemClock, ids: randomIds, images });
  const ensure = sandboxImage(runtime, images);
  const reference = await ensure();
  assert.equal(await ensure(), reference);
  assert.ok(await images.find(reference));
  assert.deepEqual(calls, ['find', 'load', 'find', 'find']);
});

test('a node of another architecture gets a sentence that names it', async () => {
  const images = new MemoryImageStore();
  const runtime = new MemoryRuntime({ clock: systemClock, ids: randomIds, images, node: { architecture: 's390x' } });
  await assert.rejects(sandboxImage(runtime, images)(), { kind: 'unsupported', message: /s390x/ });
});
