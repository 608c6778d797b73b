import { spawn } from 'node:child_process';
import path from 'node:path';
import { pythonEnvironment } from '../../system/python-environment.ts';
import type { DatabaseServer } from '../servers/database-server.ts';

/** What the original's objects give for each row, by class. */
export type OriginalObjects = Record<string, Record<string, unknown>[]>;

export interface OriginalAnswer {
  status: number;
  body: unknown;
}

/** The original zun 18.0.0 on one database. */
export interface OriginalZun {
  /** Its own `zun-db-manage upgrade`, to a revision or the head. */
  upgrade(revision?: string): Promise<void>;
  /** Rows of every kind, written by its own objects; see `original.py`. */
  fill(): Promise<void>;
  /** What its API answers. */
  answers(requests: { path: string; headers: Record<string, string> }[]): Promise<OriginalAnswer[]>;
  read(): Promise<OriginalObjects>;
}

/** Installs the original once, in a cache outside the tree. */
export async function originalZun(server: DatabaseServer, database: string): Promise<OriginalZun> {
  const python = path.join(await pythonEnvironment('original', path.join(import.meta.dirname, 'requirements.txt')), 'bin/python');
  const { user, password, host, port } = server.address(database);
  const driver = server.kind === 'mariadb' ? 'mysql+pymysql' : 'postgresql';
  const connection = `${driver}://${user}:${password}@${host}:${port}/${database}`;
  const run = (args: string[], input = '') =>
    runScript(python, [path.join(import.meta.dirname, 'original.py'), connection, ...args], input);
  return {
    async upgrade(revision) {
      await run(revision === undefined ? ['upgrade'] : ['upgrade', revision]);
    },
    async fill() {
      await run(['fill']);
    },
    answers: async (requests) => JSON.parse(await run(['answers'], JSON.stringify(requests))),
    read: async () => JSON.parse(await run(['read'])),
  };
}

function runScript(file: string, args: string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'pipe', env: { ...process.env, PYTHONWARNINGS: 'ignore' } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(stdout) : reject(new Error(`${args.join(' ')} ended with ${code}:\n${stderr}`))));
    child.stdin.end(input);
  });
}
