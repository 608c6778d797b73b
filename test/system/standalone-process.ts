import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { probeEngine } from '../../src/local/engine/engine-probe.ts';
import { EngineClient } from '../../src/runtime/docker/engine-client.ts';
import type { EngineTarget } from '../../src/runtime/docker/engine-target.ts';
import { endProcessesNaming } from './end-processes-naming.ts';
import { freePorts } from './engine/free-ports.ts';
import { removeAllContainers } from './engine/remove-all-containers.ts';
import { removeEngineFolder } from './engine/remove-engine-folder.ts';
import { type CommandResult, runCommand } from './run-command.ts';

export interface StandaloneProcessOptions {
  /** A private engine to use; without one, standalone starts a Podman of its own. */
  engine?: EngineTarget;
  environment?: Record<string, string>;
}

/** How long a first start may take, in milliseconds: a private Podman migrates its store. */
const startDeadline = 60_000;

const root = resolve(import.meta.dirname, '../..');

/** `npm start`, the README's own command, in a process of its own on a data folder of its own. */
export class StandaloneProcess {
  readonly dataFolder: string;
  readonly port: number;
  readonly #options: StandaloneProcessOptions;
  #child: ChildProcess | null = null;
  #exit: Promise<number | null> = Promise.resolve(null);
  #stdout = '';
  #stderr = '';

  private constructor(dataFolder: string, port: number, options: StandaloneProcessOptions) {
    this.dataFolder = dataFolder;
    this.port = port;
    this.#options = options;
  }

  /** Starts it and waits for its `ready` line. Throws with what it printed. */
  static async start(options: StandaloneProcessOptions = {}): Promise<StandaloneProcess> {
    const standalone = new StandaloneProcess(await mkdtemp(join(tmpdir(), 'zun-cli-')), await freePorts(4), options);
    try {
      await standalone.start();
      return standalone;
    } catch (error) {
      await standalone.close();
      throw error;
    }
  }

  /** Starts it again on the same data and ports; the time to its `ready` line in milliseconds. */
  async start(): Promise<number> {
    const began = performance.now();
    this.#stdout = '';
    const child = spawn('npm', ['start'], {
      cwd: root,
      env: this.#environment(this.port),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, which SIGKILL reaches as a whole.
      detached: true,
    });
    this.#child = child;
    this.#exit = new Promise((done) => child.once('exit', (code) => done(code)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    await new Promise<void>((ready, refused) => {
      const failed = (why: string) => refused(new Error(`npm start ${why}:\n${this.#stdout}${this.#stderr}`));
      const timer = setTimeout(() => failed('is not ready in time'), startDeadline);
      child.once('exit', (code) => {
        clearTimeout(timer);
        failed(`ended with ${code}`);
      });
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        this.#stdout += text;
        if (/^ready .*\n/m.test(this.#stdout)) {
          clearTimeout(timer);
          ready();
        }
      });
    });
    return performance.now() - began;
  }

  /** `npm start` on the same data and other ports, to its end. */
  async tryTwin(): Promise<CommandResult> {
    return runCommand('npm', ['start'], { cwd: root, env: this.#environment(await freePorts(4)), timeout: startDeadline });
  }

  get cloudsFile(): string {
    return this.#ready('clouds');
  }

  get url(): string {
    return this.#ready('url');
  }

  /** What it wrote to stderr since the first start. */
  get log(): string {
    return this.#stderr;
  }

  /** The engine it uses, as it names it in its welcome. */
  async engine(): Promise<EngineTarget> {
    const found = / at (\S+)\. Data:/.exec(this.#stdout);
    if (!found?.[1]) throw new Error(`no engine is named:\n${this.#stdout}`);
    return probeEngine(found[1]);
  }

  /** SIGTERM to npm, as a service manager would; its exit code. */
  async stop(): Promise<number | null> {
    this.#child?.kill('SIGTERM');
    return this.#exit;
  }

  /** SIGKILL to everything that `npm start` started in its group. */
  async kill(): Promise<void> {
    if (this.#child?.pid !== undefined && this.#child.exitCode === null) process.kill(-this.#child.pid, 'SIGKILL');
    await this.#exit;
  }

  /** Removes the containers that are left, ends it and deletes its data. */
  async close(): Promise<void> {
    const engine = await this.engine().catch(() => null);
    if (engine !== null) {
      const client = new EngineClient(engine);
      await removeAllContainers(client).catch(() => {});
      await client.close();
    }
    await this.stop();
    await endProcessesNaming(this.dataFolder);
    await removeEngineFolder(this.dataFolder);
  }

  #environment(port: number): NodeJS.ProcessEnv {
    const { engine, environment } = this.#options;
    return {
      ...process.env,
      NODE_TEST_CONTEXT: '',
      ZUN_DATA: this.dataFolder,
      ZUN_PORT: String(port),
      ZUN_ENGINE: engine ? 'any' : 'private',
      DOCKER_HOST: engine ? address(engine) : '',
      ...environment,
    };
  }

  #ready(what: 'url' | 'clouds'): string {
    const found = /^ready (?<url>\S+) clouds=(?<clouds>.+)$/m.exec(this.#stdout);
    const value = found?.groups?.[what];
    if (value === undefined) throw new Error(`there is no ready line:\n${this.#stdout}${this.#stderr}`);
    return value;
  }
}

function address(engine: EngineTarget): string {
  return engine.socketPath === null ? engine.origin.replace(/^http/, 'tcp') : `unix://${engine.socketPath}`;
}
