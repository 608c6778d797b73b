import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { until } from '../engine/until.ts';

const root = resolve(import.meta.dirname, '../../..');

/** The programs of their own, as operators name them. */
export type ProgramName = 'zun-api' | 'zun-compute' | 'zun-compute-agent' | 'zun-wsproxy';

/** One of `bin/` in a process of its own. */
export class ProgramProcess {
  readonly name: ProgramName;
  readonly #adminPort: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #printed = '';
  #errors = '';

  private constructor(name: ProgramName, adminPort: string, child: ChildProcess) {
    this.name = name;
    this.#adminPort = adminPort;
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    this.#ended = new Promise((done) => {
      child.once('exit', (code) => {
        process.off('exit', kill);
        done(code);
      });
    });
  }

  /** Only begins to start it. */
  static spawn(name: ProgramName, environment: Record<string, string>): ProgramProcess {
    const env = { ...process.env, NODE_TEST_CONTEXT: '', DOCKER_HOST: '', ZUN_DATABASE: '', ...environment };
    return new ProgramProcess(
      name,
      environment.ZUN_ADMIN_PORT ?? '9090',
      spawn(resolve(root, 'bin', name), [], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
  }

  /** Starts it and waits for its `ready` line. Throws with what it printed. */
  static async start(name: ProgramName, environment: Record<string, string>): Promise<ProgramProcess> {
    const program = ProgramProcess.spawn(name, environment);
    await program.ready();
    return program;
  }

  /** What follows `ready` on its last line. */
  async ready(): Promise<string> {
    const said = async () => /^ready (.*)$/m.exec(this.#printed)?.[1] ?? null;
    const failed = this.#ended.then((code) => {
      throw new Error(`${this.name} ended with ${code}`);
    });
    try {
      return await Promise.race([until(`${this.name} is ready`, said, 60_000), failed]);
    } catch (cause) {
      throw new Error(`${this.name} printed:\n${this.#printed}${this.#errors}`, { cause });
    } finally {
      failed.catch(() => {});
    }
  }

  /** What its admin port answers. */
  async admin(path: '/healthz' | '/readyz' | '/metrics'): Promise<{ status: number; text: string }> {
    const answer = await fetch(`http://127.0.0.1:${this.#adminPort}${path}`);
    return { status: answer.status, text: await answer.text() };
  }

  /** The sum of a metric over the series that have this label. */
  async metric(name: string, label: string): Promise<number> {
    const lines = (await this.admin('/metrics')).text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(label));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  /** What it wrote to stderr. */
  get log(): string {
    return this.#errors;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** The exit code; `null` after a signal that ended it. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  /** Ends it, stopped or not. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
