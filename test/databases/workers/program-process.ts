import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { until } from '../../system/engine/until.ts';
import type { DatabaseServer } from '../servers/database-server.ts';

/** A program of this folder in a process of its own. */
export class ProgramProcess {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #printed = '';

  private constructor(name: string, child: ChildProcess) {
    this.name = name;
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

  /** Starts it on a database of the server and waits until it is ready. The program is told both, then `args`, the first of which names it. */
  static async start(program: string, server: DatabaseServer, database: string, ...args: unknown[]): Promise<ProgramProcess> {
    const all = [resolve(import.meta.dirname, program), server.kind, server.address(database).port, database, ...args].map(String);
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...all], { stdio: ['ignore', 'pipe', 'pipe'] });
    const started = new ProgramProcess(String(args[0]), child);
    await started.says('ready');
    return started;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for a line. Fails with what was printed instead. */
  async says(line: string): Promise<void> {
    const said = async () => (this.#printed.split('\n').includes(line) ? true : null);
    await until(`${this.name} says '${line}'`, said, 30_000).catch((cause) => {
      throw new Error(`${this.name} printed:\n${this.#printed}`, { cause });
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
