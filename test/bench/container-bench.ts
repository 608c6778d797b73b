import assert from 'node:assert/strict';
import type { Operation, RouteRow } from '../../src/api/operation.ts';
import { pipeline } from '../../src/api/pipeline/pipeline.ts';
import { Router } from '../../src/api/router.ts';
import { apiServer } from '../../src/api/server.ts';
import { defaultSettings } from '../../src/config/settings.ts';
import type { Database } from '../../src/db/database.ts';
import { actionsOperations } from '../../src/features/actions/actions-operations.ts';
import type { CapsuleServices } from '../../src/features/capsules/capsule-services.ts';
import { capsulesOperations } from '../../src/features/capsules/capsules-operations.ts';
import { capsuleSagas } from '../../src/features/capsules/sagas/capsule-sagas.ts';
import { capsuleTemplateCheck } from '../../src/features/capsules/template-schema.ts';
import { containerOperations } from '../../src/features/containers/container-operations.ts';
import { containerSagas } from '../../src/features/containers/sagas/container-sagas.ts';
import { sandboxImage } from '../../src/local/sandbox-image/sandbox-image.ts';
import type { Networking } from '../../src/networking/networking.ts';
import { contractSchemas } from '../../src/programs/contract-file.ts';
import { memoryImage } from '../../src/runtime/memory/memory-image.ts';
import { MemoryImageStore } from '../../src/runtime/memory/memory-image-store.ts';
import type { MemoryNetworks } from '../../src/runtime/memory/memory-networks.ts';
import { MemoryRuntime } from '../../src/runtime/memory/memory-runtime.ts';
import { ActionLog } from '../../src/tasks/action-log.ts';
import type { Saga } from '../../src/tasks/saga.ts';
import { runSaga } from '../../src/tasks/saga-runner.ts';
import { TaskSignal } from '../../src/tasks/task-signal.ts';
import { TaskStore } from '../../src/tasks/task-store.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { silentLogger } from '../../src/telemetry/logger.ts';
import { compileSchemas } from '../../src/validation/compile-schemas.ts';
import { defaultPolicy } from '../contract/default-policy.ts';
import { memoryDatabase } from '../contract/memory-database.ts';
import type { CapsuleKind } from '../contract/runtime-contract.ts';
import { contractText } from '../contract/vectors.ts';
import { benchIdentity } from './bench-identity.ts';
import { BenchNetworking } from './bench-networking.ts';
import { BenchScheduler } from './bench-scheduler.ts';
import { BenchVolumes } from './bench-volumes.ts';
import { StandingClock } from './standing-clock.ts';

export interface BenchRequest {
  /** A member of `<name>-project`, or the admin of `admin-project`. */
  as?: 'demo' | 'other' | 'admin';
  /** `1.40` unless said. */
  version?: string;
  query?: Record<string, string>;
  json?: unknown;
}

export interface BenchAnswer {
  status: number;
  json: unknown;
  headers: Record<string, unknown>;
}

export type BenchNetworkingSource = (database: Database, networks: MemoryNetworks) => Networking;

type Faults = (call: string, args: readonly unknown[]) => void | Promise<void>;

/** The containers and capsules features whole, without a network or an engine: the API over the memory runtime, on a database in memory. */
export class ContainerBench {
  readonly services: CapsuleServices;
  readonly clock = new StandingClock();
  readonly runtime: MemoryRuntime;
  readonly images: MemoryImageStore;
  readonly networking: BenchNetworking;
  readonly scheduler = new BenchScheduler();
  readonly volumes = new BenchVolumes();
  /** Runs before every call to the runtime, and may throw. */
  faults: Faults = () => {};
  readonly #server: ReturnType<typeof apiServer>;
  /** By task kind; a test may put others in their place. */
  readonly sagas: Map<string, Saga>;

  /** `networking` and `database` take the place of the bench's own; `capsules` is the runtime's. */
  static async open(networking?: BenchNetworkingSource, database?: Database, capsules: CapsuleKind = 'joined'): Promise<ContainerBench> {
    return new ContainerBench(database ?? (await memoryDatabase()), networking, capsules);
  }

  private constructor(database: Database, networking: BenchNetworkingSource | undefined, capsules: CapsuleKind) {
    const registry = { 'busybox:latest': memoryImage('busybox'), 'nginx:latest': memoryImage('nginx') };
    this.images = benchImages(registry);
    this.runtime = new MemoryRuntime({
      clock: this.clock,
      ids: randomIds,
      images: this.images,
      before: (...call) => this.faults(...call),
      capsules,
    });
    this.networking = new BenchNetworking(this.runtime.networks);
    this.services = {
      database,
      policy: defaultPolicy(),
      tasks: new TaskStore(database, this.clock, randomIds),
      actions: new ActionLog(this.clock),
      taskSignal: new TaskSignal(),
      scheduler: this.scheduler,
      networking: networking?.(database, this.runtime.networks) ?? this.networking,
      volumes: this.volumes,
      runtime: this.runtime,
      images: this.images,
      registryCredentials: async () => null,
      clock: this.clock,
      ids: randomIds,
      logger: silentLogger,
      settings: defaultSettings('bench').containers,
      consoles: defaultSettings('bench').consoles,
      sandboxImage: sandboxImage(this.runtime, this.images),
      hostLosses: async () => new Map(),
      checkTemplateText: capsuleTemplateCheck(contractSchemas(), defaultSettings('bench').limits),
    };
    this.#server = benchServer([
      ...containerOperations(this.services),
      ...capsulesOperations(this.services),
      ...actionsOperations(this.services),
    ]);
    this.sagas = new Map([...containerSagas(this.services), ...capsuleSagas(this.services)].map((saga) => [saga.kind, saga as Saga]));
  }

  async request(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, options: BenchRequest = {}): Promise<BenchAnswer> {
    const query = options.query ? `?${new URLSearchParams(options.query)}` : '';
    const answer = await this.#server.inject({
      method,
      url: `${path}${query}`,
      headers: {
        accept: 'application/json',
        'x-auth-token': options.as ?? 'demo',
        'openstack-api-version': `container ${options.version ?? '1.40'}`,
        ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(options.json === undefined ? {} : { payload: JSON.stringify(options.json) }),
    });
    return { status: answer.statusCode, json: answer.body === '' ? null : JSON.parse(answer.body), headers: answer.headers };
  }

  /** An action on, or a read of, a container. */
  async on(uuid: string, method: 'GET' | 'POST', action: string, options: BenchRequest = {}): Promise<BenchAnswer> {
    return this.request(method, `/v1/containers/${uuid}/${action}`, options);
  }

  /** What the API shows of a container, to the admin: every field. */
  async show(uuid: string): Promise<Record<string, unknown>> {
    const { status, json } = await this.request('GET', `/v1/containers/${uuid}`, { as: 'admin' });
    assert.equal(status, 200);
    return json as Record<string, unknown>;
  }

  /** Runs the tasks that are queued, and those that they queue, to their ends. */
  async runTasks(signal: AbortSignal = new AbortController().signal): Promise<void> {
    const { tasks: store, actions, clock, logger } = this.services;
    for (let task = await store.claim('bench'); task; task = await store.claim('bench')) {
      const saga = this.sagas.get(task.kind);
      assert.ok(saga, `a saga for ${task.kind}`);
      await runSaga({ store, actions, clock, logger }, saga, task, signal);
    }
  }

  /** Runs the queued tasks to their ends, moving the clock whenever they wait for it. */
  async work(): Promise<void> {
    let ended = false;
    const work = this.runTasks().finally(() => {
      ended = true;
    });
    while (!ended) await this.clock.advance(500);
    await work;
  }

  /** Creates a container from a body and brings it to the state that follows; answers its uuid. */
  async container(body: Record<string, unknown> = {}, options: BenchRequest & { run?: boolean } = {}): Promise<string> {
    const { run = true, ...rest } = options;
    const defaults = { name: 'web', image: 'busybox', command: ['sleep', '1000'], cpu: 1, memory: '64' };
    const created = await this.request('POST', '/v1/containers', { query: { run: String(run) }, ...rest, json: { ...defaults, ...body } });
    assert.equal(created.status, 202, JSON.stringify(created.json));
    await this.runTasks();
    const { uuid } = created.json as { uuid: string };
    const shown = await this.show(uuid);
    assert.equal(shown.status, run ? 'Running' : 'Created', String(shown.status_reason));
    return uuid;
  }
}

/** The request was refused with this status and public code; answers the sentence. */
export function refusalOf({ status, json }: BenchAnswer, expected: number, code: string): string {
  const [error] = (json as { errors?: { status: number; code: string; title: string; detail: string }[] } | null)?.errors ?? [];
  assert.ok(error, `expected ${expected}, got ${status} ${JSON.stringify(json)}`);
  assert.deepEqual([status, error.status, error.code], [expected, expected, code], error.title);
  assert.equal(error.detail, error.title);
  return error.title;
}

function benchImages(registry: Record<string, ReturnType<typeof memoryImage>>): MemoryImageStore {
  return new MemoryImageStore({ registry: Object.fromEntries(Object.entries(registry).map(([name, image]) => [name, { image }])) });
}

/** The edge with tokens that are the callers' names. */
function benchServer(operations: Operation[]): ReturnType<typeof apiServer> {
  const { routes } = JSON.parse(contractText('routes.json')) as { routes: RouteRow[] };
  const { api, limits } = defaultSettings('bench');
  const steps = pipeline({
    ids: randomIds,
    allowedOrigins: [],
    authentication: {
      identity: benchIdentity,
      policy: { refresh: async () => {}, isAdmin: ({ roles }) => roles.includes('admin') },
      identityUrl: 'http://identity.example/v3',
      logger: silentLogger,
    },
    router: new Router(routes, operations),
    schemas: compileSchemas(contractSchemas(), limits),
    bodyLimits: { body: api.bodyLimit, archive: api.archiveLimit },
  });
  return apiServer({ steps, ids: randomIds, logger: silentLogger, ...api });
}
