import { readdir, readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { parseCpuSet } from '../rules/cpu-set.ts';

/** What only a program on the machine itself can tell of it. */
export interface Machine {
  /** Tells whether an engine speaks of this machine, or of a virtual one in it. */
  kernelVersion: string;
  /** Free for new programs now; `null` where the kernel does not tell. */
  memoryAvailableMiB: number | null;
  /** In order of their numbers; empty where the kernel does not tell. */
  numaNodes: MachineNumaNode[];
}

export interface MachineNumaNode {
  id: number;
  /** Numbers of its processors, ascending; none in a node that has memory only. */
  cpus: number[];
  memoryMiB: number;
}

/**
 * Reads the kernel's files. Origin: zun/container/os_capability (host_capability.py, get_host_mem and get_host_numa_topology), which
 * asks `lscpu` for sockets and `numactl` for memory, and knows no nodes where that is not installed.
 */
export async function readMachine({ sys = '/sys', proc = '/proc' } = {}): Promise<Machine> {
  const folder = join(sys, 'devices/system/node');
  const names = await readdir(folder).catch(() => []);
  const ids = names.flatMap((name) => /^node(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  const read = (id: number, file: string) => readFile(join(folder, `node${id}`, file), 'utf8');
  const numaNodes = ids
    .toSorted((one, other) => one - other)
    .map(async (id) => numaNode(id, await read(id, 'cpulist'), await read(id, 'meminfo')));
  const meminfo = await readFile(join(proc, 'meminfo'), 'utf8').catch(() => '');
  return { kernelVersion: release(), memoryAvailableMiB: availableMiB(meminfo), numaNodes: await Promise.all(numaNodes) };
}

/** One node of `cpulist` (`0-3,8-11`) and its `meminfo` (`Node 0 MemTotal:  11102412 kB`). Pure. */
export function numaNode(id: number, cpulist: string, meminfo: string): MachineNumaNode {
  const cpus = cpulist.trim();
  return { id, cpus: cpus === '' ? [] : parseCpuSet(cpus), memoryMiB: mebibytes(meminfo, 'MemTotal') ?? 0 };
}

/** Of `/proc/meminfo`; kernels before 3.14 have no MemAvailable. Pure. */
export function availableMiB(meminfo: string): number | null {
  const available = mebibytes(meminfo, 'MemAvailable');
  if (available !== null) return available;
  const parts = ['MemFree', 'Buffers', 'Cached'].map((name) => mebibytes(meminfo, name));
  return parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part));
}

function mebibytes(meminfo: string, name: string): number | null {
  for (const line of meminfo.split('\n')) {
    const [, found, kibibytes] = /^(?:Node \d+ )?(\w+): +(\d+) kB/.exec(line) ?? [];
    if (found === name) return Math.floor(Number(kibibytes) / 1024);
  }
  return null;
}
