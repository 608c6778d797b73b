import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StandaloneChild {
  url: string;
  cloudsFile: string;
  dataFolder: string;
  pid: number;
  /** Milliseconds from spawning it to its line `ready`. */
  readyAfter: number;
  stop(): Promise<void>;
}

/** Starts `standalone` in a process of its own; `dataFolder` of an earlier child starts it again on the same data. */
export async function standaloneChild(environment: Record<string, string>, dataFolder?: string): Promise<StandaloneChild> {
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'zun-bench-')));
  const port = await freePort();
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    env: { ...process.env, ZUN_DATA: folder, ZUN_PORT: String(port), ZUN_LOG: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const [url, cloudsFile] = await readyLine(child);
  return {
    url,
    cloudsFile,
    dataFolder: folder,
    pid: child.pid ?? 0,
    readyAfter: performance.now() - began,
    async stop() {
      const exited = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await exited;
    },
  };
}

export const removeData = (folder: string) => rm(folder, { recursive: true, force: true });

async function readyLine(child: ChildProcess): Promise<[string, string]> {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += chunk;
    const match = /^ready (\S+) clouds=(\S+)$/m.exec(output);
    if (match?.[1] && match[2]) {
      child.stdout?.resume();
      return [match[1], match[2]];
    }
  }
  throw new Error(`standalone ended before it was ready:\n${output}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
