import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { availableMiB, numaNode, readMachine } from './machine.ts';

const meminfoOf = (id: number, kibibytes: number) => `Node ${id} MemTotal:       ${kibibytes} kB\nNode ${id} MemFree:         3552016 kB\n`;

test('a NUMA node is its processors and its memory; one may have memory only', () => {
  assert.deepEqual(numaNode(1, '4-7,12\n', meminfoOf(1, 8_388_608)), { id: 1, cpus: [4, 5, 6, 7, 12], memoryMiB: 8192 });
  assert.deepEqual(numaNode(2, '\n', meminfoOf(2, 1_048_576)), { id: 2, cpus: [], memoryMiB: 1024 });
});

test('memory that is available, as the kernel says or else as it used to be reckoned', () => {
  assert.equal(availableMiB('MemTotal: 9 kB\nMemFree: 1024 kB\nMemAvailable:   4096 kB\n'), 4);
  assert.equal(availableMiB('MemTotal: 9 kB\nMemFree: 1024 kB\nBuffers: 2048 kB\nCached: 1024 kB\nSwapCached: 99999 kB\n'), 4);
  assert.equal(availableMiB(''), null);
});

test('nodes are told in the order of their numbers, and none where the kernel has no such folder', async () => {
  const sys = await mkdtemp(join(tmpdir(), 'machine-'));
  for (const [id, cpulist] of [
    [10, '2-3'],
    [2, '0-1'],
  ] as const) {
    const folder = join(sys, `devices/system/node/node${id}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'cpulist'), `${cpulist}\n`);
    await writeFile(join(folder, 'meminfo'), meminfoOf(id, 2048));
  }
  await writeFile(join(sys, 'devices/system/node/possible'), '0-11\n');
  const { numaNodes } = await readMachine({ sys });
  assert.deepEqual(numaNodes, [
    { id: 2, cpus: [0, 1], memoryMiB: 2 },
    { id: 10, cpus: [2, 3], memoryMiB: 2 },
  ]);
  await rm(sys, { recursive: true });
  assert.deepEqual(await readMachine({ sys, proc: sys }), { kernelVersion: release(), memoryAvailableMiB: null, numaNodes: [] });
});

test('this machine: its nodes have all its processors, and no more memory than it has', async () => {
  const { memoryAvailableMiB, numaNodes } = await readMachine();
  const totalMiB = totalmem() / 1024 ** 2;
  assert.ok(memoryAvailableMiB !== null && memoryAvailableMiB > 0 && memoryAvailableMiB <= totalMiB);
  if (numaNodes.length === 0) return;
  assert.equal(numaNodes.flatMap((node) => node.cpus).length, cpus().length);
  // What the kernel keeps for itself is not in the machine's total.
  assert.ok(numaNodes.reduce((sum, { memoryMiB }) => sum + memoryMiB, 0) <= totalMiB + numaNodes.length);
});
