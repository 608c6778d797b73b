import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { until } from '../../system/engine/until.ts';
import type { DatabaseServer } from '../servers/database-server.ts';

const program = resolve(import.meta.dirname, 'worker-program.ts');

export interface WorkerProcessOptions {
  owner: string;
  leaseMilliseconds: number;
  graceMilliseconds: number;
}

/** `worker-program.ts` in a process of its own. */
export class WorkerProcess {
  readonly owner: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #printed = '';

  private constructor(owner: string, child: ChildProcess) {
    this.owner = owner;
    this.#child = child;
    const take = (text: string) => {
      this.#printed += text;
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    this.#ended = new Promise((done) => {
      child.once('exit', (code) => {
        process.off('exit', kill);
        done(code);
      });
    });
  }

  /** Starts it on a database of the server and waits until it works. */
  static async start(server: DatabaseServer, database: string, options: WorkerProcessOptions): Promise<WorkerProcess> {
    const { owner, leaseMilliseconds, graceMilliseconds } = options;
    const args = [server.kind, server.address(database).port, database, owner, leaseMilliseconds, graceMilliseconds].map(String);
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const worker = new WorkerProcess(owner, child);
    await worker.says('ready');
    return worker;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for a line. Fails with what was printed instead. */
  async says(line: string): Promise<void> {
    const said = async () => (this.#printed.split('\n').includes(line) ? true : null);
    await until(`${this.owner} says '${line}'`, said, 30_000).catch((cause) => {
      throw new Error(`${this.owner} printed:\n${this.#printed}`, { cause });
    });
  }

  /** The exit code; `null` after a signal. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  /** Ends it, stopped or not. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
