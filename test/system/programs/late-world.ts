import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { DemoClient } from '../../../src/programs/demo-client.ts';
import { freePort } from '../engine/free-port.ts';
import { freePorts } from '../engine/free-ports.ts';
import { runCommandWell } from '../run-command.ts';
import type { LateRuntime } from './late-runtimes.ts';
import { type ProgramName, ProgramProcess } from './program-process.ts';

/** Programs on SQLite, and what they run containers on, which need not be there. */
export class LateWorld<Runtime extends LateRuntime = LateRuntime> {
  readonly runtime: Runtime;
  readonly #folder: string;
  readonly #port: number;
  readonly #programs: ProgramProcess[] = [];

  private constructor(parts: { runtime: Runtime; folder: string; port: number }) {
    this.runtime = parts.runtime;
    this.#folder = parts.folder;
    this.#port = parts.port;
  }

  /** The schema is made; no program runs. `own`: more of the configuration file. */
  static async open<Runtime extends LateRuntime>(
    runtimeIn: (folder: string) => Promise<Runtime>,
    own: Record<string, unknown> = {},
  ): Promise<LateWorld<Runtime>> {
    const folder = await mkdtemp(join(tmpdir(), 'zun-late-'));
    const world = new LateWorld({ runtime: await runtimeIn(folder), folder, port: await freePorts(2) });
    try {
      await world.#prepare(own);
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** Begins to start a program. */
  async spawn(name: ProgramName): Promise<ProgramProcess> {
    const program = ProgramProcess.spawn(name, await this.#environment());
    this.#programs.push(program);
    return program;
  }

  async start(...names: ProgramName[]): Promise<ProgramProcess[]> {
    const programs = await Promise.all(names.map((name) => this.spawn(name)));
    await Promise.all(programs.map((program) => program.ready()));
    return programs;
  }

  /** What the API answers. */
  async ask(method: string, path: string, body?: unknown, cloud = 'zun'): Promise<{ status: number; text: string }> {
    const { token } = await DemoClient.login(join(this.#folder, 'data', 'clouds.yaml'), cloud);
    const answer = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
      method,
      headers: { 'x-auth-token': token, 'openstack-api-version': 'container 1.40', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  }

  async close(): Promise<void> {
    await Promise.all(this.#programs.map((program) => program.kill()));
    await this.runtime.go();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #prepare(own: Record<string, unknown>): Promise<void> {
    const settings = {
      host: 'node-1',
      api: { port: this.#port },
      database: { url: `sqlite:///${join(this.#folder, 'zun.sqlite')}` },
      encryptionKey: 'a key that is long enough for anybody',
      ...this.runtime.settings,
      ...own,
    };
    await writeFile(join(this.#folder, 'zun.yaml'), stringify(settings), { mode: 0o600 });
    const env = { ...process.env, ...(await this.#environment()) };
    await runCommandWell(resolve(import.meta.dirname, '../../../bin/zun-db-manage'), ['upgrade'], { env });
  }

  async #environment(): Promise<Record<string, string>> {
    return {
      ZUN_CONFIG: join(this.#folder, 'zun.yaml'),
      ZUN_DATA: join(this.#folder, 'data'),
      ZUN_ADMIN_PORT: String(await freePort()),
      ZUN_LOG: 'info',
    };
  }
}
