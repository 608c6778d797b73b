import { type Agent, startAgent } from '../../src/agent/agent.ts';
import { defaultSettings } from '../../src/config/settings.ts';
import { Fernet } from '../../src/crypto/fernet.ts';
import type { Database } from '../../src/db/database.ts';
import type { Identity } from '../../src/identity/identity.ts';
import { type ZunCore, zunCore } from '../../src/programs/zun-core.ts';
import type { ZunParts } from '../../src/programs/zun-parts.ts';
import type { ContainerRuntime } from '../../src/runtime/container-runtime.ts';
import type { LeaseTimes } from '../../src/sync/lead.ts';
import type { StateSync } from '../../src/sync/state-sync.ts';
import type { SyncObserver } from '../../src/sync/sync-observer.ts';
import type { Saga } from '../../src/tasks/saga.ts';
import type { TaskObserver } from '../../src/tasks/task-observer.ts';
import type { Worker } from '../../src/tasks/worker.ts';
import type { Clock } from '../../src/telemetry/clock.ts';
import type { Ids } from '../../src/telemetry/ids.ts';
import { silentLogger } from '../../src/telemetry/logger.ts';
import type { Life } from './life.ts';
import type { ProcessClock } from './process-clock.ts';

/** What a process is made of; everything in it is its own or reaches the world through its life. */
export interface ProcessParts extends Pick<ZunParts, 'database' | 'runtime' | 'images' | 'networking' | 'volumes' | 'inventory'> {
  name: string;
  /** The node whose rows it keeps true and whose agent it is; for an API any name. */
  host: string;
  roles: ReadonlySet<ProcessRole>;
  life: Life;
  clock: ProcessClock;
  ids: Ids;
  tasks: TaskObserver;
  sync: SyncObserver;
  /** The engine of its node, without weather. */
  ownEngine: ContainerRuntime;
}

/** Of each project while nobody has set others: few enough to be reached. */
export const defaultLimits = { containers: 4, cpu: 6, memory: 768, disk: 40 };

/** Short, so that leaders change while there are disasters. */
export const leaseTimes: LeaseTimes = { duration: 12_000, renewal: 3_000, patience: 7_000 };

/** A host that is silent for so long is lost. */
export const downTimeSeconds = 30;

/** An `auditor` is an API that only the test asks, and that nothing befalls. */
export type ProcessRole = 'api' | 'worker' | 'node' | 'auditor';

/** How a test breaks the program, to see that the simulation finds it. */
export interface Plant {
  parts?(parts: ProcessParts): void;
  core?(core: ZunCore, parts: ProcessParts): void;
  sync?(core: ZunCore, parts: ProcessParts): StateSync;
}

/** One process of a simulated world: an API, or the programs of a node. */
export class SimulatedProcess {
  readonly parts: ProcessParts;
  readonly core: ZunCore;
  #worker: Worker | null = null;
  #sync: StateSync | null = null;
  #agent: Agent | null = null;

  private constructor(parts: ProcessParts, core: ZunCore) {
    this.parts = parts;
    this.core = core;
  }

  /** `checked` sees each saga before it is used. */
  static async start(parts: ProcessParts, checked: (saga: Saga) => Saga, plant: Plant = {}): Promise<SimulatedProcess> {
    plant.parts?.(parts);
    const settings = defaultSettings(parts.host);
    settings.worker = { ...settings.worker, concurrency: 4, pollMilliseconds: 2_000 };
    settings.sync.listIntervalMilliseconds = 30_000;
    settings.scheduler.serviceDownTimeSeconds = downTimeSeconds;
    settings.containers.quotaDefaults = defaultLimits;
    const core = await zunCore({
      ...parts,
      settings,
      identity,
      identityUrl: 'http://identity.example',
      fernet: new Fernet('0123456789abcdef0123456789abcdef'),
      policyFile: '',
      logger: silentLogger,
      observers: { onAnswered: () => {}, tasks: parts.tasks, sync: parts.sync },
    });
    plant.core?.(core, parts);
    for (const [kind, saga] of core.sagas) (core.sagas as Map<string, Saga>).set(kind, checked(saga));
    const process = new SimulatedProcess(parts, core);
    if (parts.roles.has('node')) {
      process.#agent = agentOf(parts, parts.database);
      process.#sync = plant.sync ? plant.sync(core, parts) : core.startSync({ holder: parts.name, times: leaseTimes });
    }
    if (parts.roles.has('worker')) process.#worker = core.startWorker(parts.name);
    return process;
  }

  get isAlive(): boolean {
    return this.parts.life.alive;
  }

  /** `null` when it died before it answered, which it may as well never do. */
  async request(as: string, method: Method, url: string, json?: unknown): Promise<{ status: number; body: unknown }> {
    await this.parts.life.step();
    const answer = await this.core.server.inject({
      method,
      url,
      headers: {
        accept: 'application/json',
        'x-auth-token': as,
        'openstack-api-version': 'container 1.40',
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
    });
    await this.parts.life.step();
    return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) };
  }

  /** As SIGTERM: what is under way is handed back. */
  async stop(): Promise<void> {
    await Promise.all([this.#worker?.stop(2_000), this.#sync?.stop(), this.#agent?.stop()]);
    this.parts.life.die();
  }
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

function agentOf({ host, runtime, inventory, clock, ids }: ProcessParts & { clock: Clock }, database: Database): Agent {
  return startAgent({
    database,
    runtime,
    inventory,
    clock,
    ids,
    logger: silentLogger,
    hostname: host,
    availabilityZone: 'nova',
    allocationRatios: { cpu: 16, memory: 1.5, disk: 1 },
    cpuPinning: false,
    intervalSeconds: 10,
  });
}

/** The name of a token is its bearer, in a project of that name. */
const identity: Identity = {
  validate: async (name) => ({
    userId: `${name}-user`,
    userName: name,
    projectId: name,
    projectName: name,
    userDomainId: 'default',
    projectDomainId: 'default',
    roles: name === 'admin' ? ['admin', 'member', 'reader'] : ['member', 'reader'],
    expiresAt: Number.MAX_SAFE_INTEGER,
  }),
};
