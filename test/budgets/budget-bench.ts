import assert from 'node:assert/strict';
import { startAgent } from '../../src/agent/agent.ts';
import { defaultSettings } from '../../src/config/settings.ts';
import { Fernet } from '../../src/crypto/fernet.ts';
import type { Database } from '../../src/db/database.ts';
import { sqlite } from '../../src/db/dialect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import type { Network } from '../../src/networking/networking.ts';
import { type ZunCore, zunCore } from '../../src/programs/zun-core.ts';
import { memoryImage } from '../../src/runtime/memory/memory-image.ts';
import { MemoryImageStore } from '../../src/runtime/memory/memory-image-store.ts';
import { MemoryRuntime } from '../../src/runtime/memory/memory-runtime.ts';
import { runSaga } from '../../src/tasks/saga-runner.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { type Logger, silentLogger } from '../../src/telemetry/logger.ts';
import type { RequestScope } from '../../src/telemetry/request-scope.ts';
import { benchIdentity } from '../bench/bench-identity.ts';
import { BenchInventory } from '../bench/bench-inventory.ts';
import { BenchNetworking } from '../bench/bench-networking.ts';
import { BenchVolumes } from '../bench/bench-volumes.ts';
import { StandingClock } from '../bench/standing-clock.ts';
import { watchedPort } from '../bench/watched-port.ts';

/** What an operation cost. */
export interface Cost {
  /** Statements, without those that begin and end transactions. */
  statements: number;
  transactions: number;
  /** Calls to other services by port and method, in order of their names: `runtime.inspect`, or `runtime.inspect ×2`. */
  calls: string[];
}

export interface BudgetRequest {
  /** A member of `<name>-project`, or the admin of `admin-project`. */
  as?: 'demo' | 'admin';
  /** In place of one that is the bearer's name. */
  token?: string;
  version?: string;
  json?: unknown;
}

/** Who listens; nobody unless said. */
export interface BenchTelemetry {
  logger: Logger;
  scope?: RequestScope;
  /** Hears of each call to another service as it begins: `runtime.create`. */
  onCall?(call: string): void;
}

/** The whole service on a database in memory, with nothing behind its ports, so that every statement and every call is its own. */
export class BudgetBench {
  readonly clock = new StandingClock();
  readonly database: Database;
  readonly runtime: MemoryRuntime;
  readonly networking: BenchNetworking;
  readonly volumes = new BenchVolumes();
  /** Of all statements since the last measurement began. */
  readonly sql: string[] = [];
  readonly #images: MemoryImageStore;
  readonly #telemetry: BenchTelemetry;
  #calls: string[] = [];
  #core: ZunCore | null = null;

  static async open(telemetry: BenchTelemetry = { logger: silentLogger }): Promise<BudgetBench> {
    const dialect = sqlite(':memory:');
    const bench = new BudgetBench(telemetry, (sql) => openDatabase(dialect, ({ query }) => sql(query.sql)));
    await migrate(bench.database, dialect);
    await bench.#compose();
    return bench;
  }

  private constructor(telemetry: BenchTelemetry, open: (onStatement: (sql: string) => void) => Database) {
    this.#telemetry = telemetry;
    this.database = open((sql) => this.sql.push(sql));
    const registry = { 'busybox:latest': { image: memoryImage('busybox') }, 'nginx:latest': { image: memoryImage('nginx') } };
    const images = new MemoryImageStore({ registry });
    this.runtime = new MemoryRuntime({ clock: this.clock, ids: randomIds, images });
    this.networking = new FoundingNetworking(this.runtime.networks);
    this.#images = images;
  }

  get core(): ZunCore {
    assert.ok(this.#core);
    return this.#core;
  }

  async #compose(): Promise<void> {
    const counted = <T extends object>(name: string, port: T) =>
      watchedPort(name, port, () => ({
        before: (call) => {
          this.#calls.push(call);
          this.#telemetry.onCall?.(call);
        },
      }));
    const inventory = counted('inventory', new BenchInventory());
    const common = { database: this.database, clock: this.clock, ids: randomIds, logger: this.#telemetry.logger };
    const runtime = counted('runtime', this.runtime);
    this.#core = await zunCore({
      ...common,
      ...(this.#telemetry.scope ? { scope: this.#telemetry.scope } : {}),
      settings: defaultSettings('bench'),
      runtime,
      images: counted('images', this.#images),
      networking: counted('networking', this.networking),
      volumes: counted('volumes', this.volumes),
      inventory,
      identity: counted('identity', benchIdentity),
      identityUrl: 'http://identity.example',
      fernet: new Fernet('0123456789abcdef0123456789abcdef'),
      policyFile: '/nonexistent/policy.yaml',
    });
    const agent = startAgent({
      ...common,
      runtime,
      inventory,
      hostname: 'bench',
      availabilityZone: 'nova',
      allocationRatios: { cpu: 16, memory: 1.5, disk: 1 },
      cpuPinning: false,
      intervalSeconds: 60,
    });
    await agent.started;
    await agent.stop();
  }

  /** What the work costs; the validation of the token is not among the calls, since it is no operation's own. */
  async cost(work: () => Promise<unknown>): Promise<Cost> {
    this.sql.length = 0;
    this.#calls = [];
    await work();
    const [sql, made] = [[...this.sql], this.#calls.filter((call) => !call.startsWith('identity.'))];
    const calls = [...Map.groupBy(made, (call) => call)].map(([call, each]) => (each.length === 1 ? call : `${call} ×${each.length}`));
    return {
      statements: sql.filter((text) => !/^(begin|commit|rollback)/i.test(text)).length,
      transactions: sql.filter((text) => /^begin/i.test(text)).length,
      calls: calls.sort(),
    };
  }

  /** Refuses to go on unless the request is accepted. */
  async ask(request: string, { as = 'demo', token = as, version = '1.40', json }: BudgetRequest = {}): Promise<unknown> {
    const [method, url] = request.split(' ') as ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string];
    const answer = await this.core.server.inject({
      method,
      url,
      headers: {
        accept: 'application/json',
        'x-auth-token': token,
        'openstack-api-version': `container ${version}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
    });
    assert.ok(answer.statusCode < 300, `${request}: ${answer.statusCode} ${answer.body}`);
    return answer.body === '' ? null : JSON.parse(answer.body);
  }

  /** Claims the next task and runs it to its end. */
  async runTask(): Promise<boolean> {
    const { tasks: store, actions } = this.core.services;
    const task = await store.claim('bench');
    if (!task) return false;
    const saga = this.core.sagas.get(task.kind);
    assert.ok(saga, task.kind);
    const work = runSaga({ store, actions, clock: this.clock, logger: silentLogger }, saga, task, new AbortController().signal);
    assert.equal(await this.#whileTimePasses(work), 'ended');
    return true;
  }

  /** Where the work waits for the clock, as a stop does for its grace period, the clock goes on. */
  async #whileTimePasses<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const end = () => {
      over = true;
    };
    work.then(end, end);
    for (let looks = 1; !over; looks += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (looks % 20 === 0) await this.clock.advance(1_000);
    }
    return work;
  }

  async runTasks(): Promise<void> {
    while (await this.runTask());
  }

  /** A container of demo that runs; its uuid. */
  async container(name = 'web', body: object = {}): Promise<string> {
    const json = { name, image: 'busybox', command: ['sleep', '1000'], cpu: 1, memory: '64', ...body };
    const { uuid } = (await this.ask('POST /v1/containers?run=true', { json })) as { uuid: string };
    await this.runTasks();
    const shown = (await this.ask(`GET /v1/containers/${uuid}`)) as { status: string; status_reason: string };
    assert.equal(shown.status, 'Running', shown.status_reason);
    return uuid;
  }
}

/** Bench networking that can make networks, too. */
class FoundingNetworking extends BenchNetworking {
  override createNetwork(): Promise<Network> {
    return this.findNetwork('private');
  }

  override async deleteNetwork(): Promise<void> {}
}
