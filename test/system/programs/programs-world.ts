import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { Database } from '../../../src/db/database.ts';
import { openDatabase } from '../../../src/db/open-database.ts';
import { buildBusyboxImage } from '../../../src/local/busybox-image/build-busybox-image.ts';
import { DemoClient } from '../../../src/programs/demo-client.ts';
import { EngineClient } from '../../../src/runtime/docker/engine-client.ts';
import { dialectOf } from '../../databases/servers/database-server.ts';
import { privateMariadb } from '../../databases/servers/private-mariadb.ts';
import type { PrivateServer } from '../../databases/servers/private-server.ts';
import { createDatabase } from '../../databases/test-database.ts';
import { freePort } from '../engine/free-port.ts';
import { freePorts } from '../engine/free-ports.ts';
import { loadImage } from '../engine/load-image.ts';
import { startPrivateDocker } from '../engine/private-docker.ts';
import type { TestEngine } from '../engine/test-engine.ts';
import { until } from '../engine/until.ts';
import { runCommandWell } from '../run-command.ts';
import { type ProgramName, ProgramProcess } from './program-process.ts';

/** What tests read of a container. */
export interface SeenContainer {
  uuid: string;
  status: string;
  status_reason: string | null;
  task_state: string | null;
  addresses: Record<string, unknown[]>;
}

/** So long a worker that died keeps its tasks: short, so that a test need not wait long for it, and not so short that a busy machine is too slow. */
const leaseSeconds = 6;
export const image = 'zun-test/busybox:1.0';

/** A MariaDB and a Docker of a test's own, one configuration file, and the programs that are started on it. */
export class ProgramsWorld {
  readonly folder: string;
  readonly database: Database;
  readonly engine: EngineClient;
  readonly port: number;
  readonly #closing: (() => Promise<unknown>)[];
  readonly #programs: ProgramProcess[] = [];
  /** The engine's own, without a gate. */
  readonly socket: string;
  readonly #tokens: Partial<Record<'zun' | 'zun-admin', Promise<string>>> = {};

  private constructor(
    parts: { folder: string; database: Database; docker: TestEngine; port: number },
    closing: (() => Promise<unknown>)[],
  ) {
    this.folder = parts.folder;
    this.database = parts.database;
    this.engine = new EngineClient(parts.docker.target);
    this.port = parts.port;
    this.socket = parts.docker.target.socketPath ?? '';
    this.#closing = closing;
  }

  /** The schema is made; no program runs. */
  static async open(): Promise<ProgramsWorld> {
    const closing: (() => Promise<unknown>)[] = [];
    try {
      const folder = await mkdtemp(join(tmpdir(), 'zun-programs-'));
      closing.unshift(() => rm(folder, { recursive: true, force: true }));
      const docker = await startPrivateDocker();
      closing.unshift(() => docker.close());
      const server = await privateMariadb();
      closing.unshift(() => server.close());
      const name = await createDatabase(server);
      const database = openDatabase(dialectOf(server, name));
      closing.unshift(() => database.close());
      const port = await freePorts(3);
      const world = new ProgramsWorld({ folder, database, docker, port }, closing);
      await world.#configure(urlOf(server, name));
      await world.migrate();
      closing.unshift(() => world.engine.close());
      await loadImage(world.engine, await buildBusyboxImage(), image);
      return world;
    } catch (error) {
      for (const close of closing) await close();
      throw error;
    }
  }

  /** The environment of a program: little else is not in the file. */
  async environment(own: Record<string, string> = {}): Promise<Record<string, string>> {
    return {
      ZUN_CONFIG: join(this.folder, 'zun.yaml'),
      ZUN_DATA: join(this.folder, 'data'),
      ZUN_ADMIN_PORT: String(await freePort()),
      ...own,
    };
  }

  async start(name: ProgramName, own: Record<string, string> = {}): Promise<ProgramProcess> {
    const program = ProgramProcess.spawn(name, await this.environment(own));
    this.#programs.push(program);
    await program.ready();
    return program;
  }

  client(cloud: 'zun' | 'zun-admin' = 'zun'): Promise<DemoClient> {
    return DemoClient.login(this.cloudsFile, cloud);
  }

  get cloudsFile(): string {
    return join(this.folder, 'data', 'clouds.yaml');
  }

  /** An answer as it is, to a plain user or the administrator. */
  async ask(method: string, path: string, body?: unknown, cloud: 'zun' | 'zun-admin' = 'zun'): Promise<{ status: number; text: string }> {
    this.#tokens[cloud] ??= this.client(cloud).then(({ token }) => token);
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: {
        'x-auth-token': await this.#tokens[cloud],
        'openstack-api-version': 'container 1.40',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  }

  /** Asks for a container that runs; answers its uuid. */
  async create(wish: Record<string, unknown>): Promise<string> {
    const { status, text } = await this.ask('POST', '/v1/containers?run=true', wish);
    assert.equal(status, 202, text);
    return JSON.parse(text).uuid;
  }

  async act(method: string, uuid: string, rest: string): Promise<string> {
    const { status, text } = await this.ask(method, `/v1/containers/${uuid}${rest}`);
    assert.ok(status < 300, `${method} ${rest}: ${status} ${text}`);
    return uuid;
  }

  /** `null` when it is not there. */
  async show(uuid: string): Promise<SeenContainer | null> {
    const { status, text } = await this.ask('GET', `/v1/containers/${uuid}`);
    return status === 404 ? null : JSON.parse(text);
  }

  /** Of a volume's uuid the container that has it; of any other the same. */
  async containerOf(uuid: string): Promise<string> {
    const row = await this.database.queries
      .selectFrom('volume_mapping')
      .innerJoin('volume', 'volume.id', 'volume_mapping.volume_id')
      .select('container_uuid')
      .where('volume.uuid', '=', uuid)
      .executeTakeFirst();
    return row?.container_uuid ?? uuid;
  }

  /** Waits until nothing is queued. */
  async settled(seconds = 120): Promise<void> {
    const left = () => this.database.queries.selectFrom('openkeel_task').select(['kind', 'subject', 'attempt', 'progress']).execute();
    await until('all tasks have ended', async () => ((await left()).length === 0 ? true : null), seconds * 1000).catch(async (cause) => {
      throw new Error(`left: ${JSON.stringify(await left())}\n${this.log}`, { cause });
    });
  }

  /** What all programs wrote to stderr. */
  get log(): string {
    return this.#programs.map(({ name, log }) => `--- ${name}\n${log}`).join('\n');
  }

  /** Makes the schema, of the configured database or another. */
  async migrate(database = ''): Promise<void> {
    await runCommandWell(resolve(import.meta.dirname, '../../../bin/zun-db-manage'), ['upgrade'], {
      env: { ...process.env, ZUN_CONFIG: join(this.folder, 'zun.yaml'), ZUN_DATABASE: database },
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#programs.map((program) => program.kill()));
    for (const close of this.#closing) await close();
  }

  async #configure(databaseUrl: string): Promise<void> {
    const settings = {
      host: 'node-1',
      database: { url: databaseUrl },
      api: { port: this.port },
      consoles: { port: this.port + 2 },
      engine: { address: `unix://${this.socket}` },
      containers: { defaultImagePullPolicy: 'ifnotpresent' },
      worker: { leaseSeconds, concurrency: 64 },
      quotas: { containers: -1, cpus: -1, memoryMiB: -1, diskGiB: -1 },
    };
    await writeFile(join(this.folder, 'zun.yaml'), stringify(settings), { mode: 0o600 });
  }
}

function urlOf(server: PrivateServer, name: string): string {
  const { user, password, host, port } = server.address(name);
  return `mysql+pymysql://${user}:${password}@${host}:${port}/${name}`;
}
