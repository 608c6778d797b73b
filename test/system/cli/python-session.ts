import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pythonClient } from '../python-client.ts';
import type { CommandResult } from '../run-command.ts';

export type CloudName = 'zun' | 'zun-admin';

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** An exception of python-zunclient. */
export class ClientError extends Error {
  override name = 'ClientError';
  readonly status: number | null;
  /** The Python class: `NotFound`, `Conflict`. */
  readonly kind: string;

  constructor(error: { class: string; message: string; status: number | null }) {
    super(error.message);
    this.kind = error.class;
    this.status = error.status;
  }
}

/** When what has come since the step before matches `until` (a regular expression), types `send`, makes the window so many rows and columns, or closes it. */
export type TerminalStep = { until: string } & ({ send: string } | { size: [rows: number, columns: number] } | { hangUp: true });

type Answer = { value: unknown } | { error: { class: string; message: string; status: number | null } };

/**
 * python-zunclient 5.5.0 and the `openstack` command in one Python process that stays, since starting one costs a second a call.
 * Requests go one after another. A command runs in a fork and is otherwise what the console script runs.
 */
export class PythonSession {
  readonly #child: ChildProcess;
  readonly #waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = [];
  readonly #exit: Promise<void>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout === null) throw new Error('the session has no output');
    createInterface({ input: child.stdout }).on('line', (line) => this.#waiting.shift()?.resolve(JSON.parse(line)));
    this.#exit = new Promise((resolve) => child.once('exit', () => resolve()));
    child.once('exit', () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('the Python session has ended'));
    });
  }

  static async open(cloudsFile: string): Promise<PythonSession> {
    const { python } = await pythonClient();
    const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('OS_'));
    const child = spawn(python, [join(import.meta.dirname, 'python-session.py')], {
      env: { ...Object.fromEntries(environment), OS_CLIENT_CONFIG_FILE: cloudsFile },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return new PythonSession(child);
  }

  /** `containers.list` with keyword arguments; a resource comes as its members. Throws `ClientError`. */
  async call<Shape>(
    cloud: CloudName,
    name: string,
    args: unknown[] = [],
    kwargs: Record<string, unknown> = {},
    version = '1.40',
  ): Promise<Shape> {
    return (await this.#ask({ kind: 'call', cloud, name, args, kwargs, version })) as Shape;
  }

  /** Any request with the cloud's token; every status is an answer. `path` begins with `/v1`. */
  async http(
    cloud: CloudName,
    method: string,
    path: string,
    body: unknown = null,
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer> {
    return (await this.#ask({ kind: 'http', cloud, method, path, body, headers })) as HttpAnswer;
  }

  /** `openstack ARGUMENT…`, run in `folder` when it is given. */
  async openstack(cloud: CloudName, argv: string[], folder: string | null = null): Promise<CommandResult> {
    return (await this.#ask({ kind: 'openstack', cloud, argv, folder })) as CommandResult;
  }

  /** `openstack ARGUMENT…` at a terminal of its own, of 30 rows and 90 columns. Throws with all that it showed when a step does not come about. */
  async terminal(cloud: CloudName, argv: string[], steps: readonly TerminalStep[]): Promise<string> {
    const asked = { kind: 'terminal', cloud, argv, size: [30, 90], steps };
    const { exitCode, output, problem } = (await this.#ask(asked)) as { exitCode: number; output: string; problem: string | null };
    if (problem !== null) throw new Error(`openstack ${argv.join(' ')}: ${problem}; it ended with ${exitCode} and showed:\n${output}`);
    return output;
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.#exit;
  }

  async #ask(request: Record<string, unknown>): Promise<unknown> {
    const answer = await new Promise<Answer>((resolve, reject) => {
      if (this.#child.exitCode !== null) return reject(new Error('the Python session has ended'));
      this.#waiting.push({ resolve, reject });
      this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
    });
    if ('error' in answer) throw new ClientError(answer.error);
    return answer.value;
  }
}
