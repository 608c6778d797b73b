import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { freePort } from '../../test/system/engine/free-port.ts';
import { readMetrics } from './read-metrics.ts';

const root = resolve(import.meta.dirname, '../..');
/** Linux counts the time of processes in these. */
const ticksPerSecond = 100;

type Name = 'zun-api' | 'zun-compute' | 'zun-compute-agent';

/** What a program has used so far. */
export interface ProcessFigures {
  residentMiB: number;
  cpuSeconds: number;
}

/** One of `bin/` in a process of its own, with what the machine and its metrics tell of it. */
export class MeasuredProgram {
  readonly name: Name;
  /** Milliseconds from spawning it to its line `ready`. */
  readonly readyAfter: number;
  readonly #child: ChildProcess;
  readonly #adminPort: number;

  private constructor(parts: { name: Name; readyAfter: number; child: ChildProcess; adminPort: number }) {
    this.name = parts.name;
    this.readyAfter = parts.readyAfter;
    this.#child = parts.child;
    this.#adminPort = parts.adminPort;
  }

  /** Throws with what it printed when it ends before it is ready. */
  static async start(name: Name, environment: Record<string, string>): Promise<MeasuredProgram> {
    const adminPort = await freePort();
    const began = performance.now();
    const child = spawn(resolve(root, 'bin', name), [], {
      env: { ...process.env, ...environment, ZUN_ADMIN_PORT: String(adminPort) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    process.once('exit', () => child.kill('SIGKILL'));
    let printed = '';
    child.stderr?.on('data', (text) => {
      printed += text;
    });
    for await (const text of child.stdout ?? []) {
      printed += text;
      if (!/^ready /m.test(printed)) continue;
      child.stdout?.resume();
      return new MeasuredProgram({ name, readyAfter: performance.now() - began, child, adminPort });
    }
    throw new Error(`${name} ended before it was ready:\n${printed}`);
  }

  async figures(): Promise<ProcessFigures> {
    const [status, stat] = await Promise.all(['status', 'stat'].map((file) => readFile(`/proc/${this.#child.pid}/${file}`, 'utf8')));
    const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ');
    return {
      residentMiB: Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status ?? '')?.[1] ?? 0) / 1024),
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    };
  }

  get metricsUrl(): string {
    return `http://127.0.0.1:${this.#adminPort}/metrics`;
  }

  metrics(): Promise<Map<string, number>> {
    return readMetrics(this.metricsUrl);
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}
