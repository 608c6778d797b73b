import assert from 'node:assert/strict';
import { startAgent } from '../../src/agent/agent.ts';
import { defaultSettings, type Settings } from '../../src/config/settings.ts';
import { Fernet } from '../../src/crypto/fernet.ts';
import type { Database } from '../../src/db/database.ts';
import { LocalInventory } from '../../src/local/inventory/local-inventory.ts';
import { LocalNetworking } from '../../src/local/networking/local-networking.ts';
import { MemoryEngineNetworks } from '../../src/local/networking/memory-engine-networks.ts';
import { LocalVolumes } from '../../src/local/volumes/local-volumes.ts';
import { MemoryEngineVolumes } from '../../src/local/volumes/memory-engine-volumes.ts';
import { type ZunCore, zunCore } from '../../src/programs/zun-core.ts';
import { memoryImage } from '../../src/runtime/memory/memory-image.ts';
import { MemoryImageStore } from '../../src/runtime/memory/memory-image-store.ts';
import { MemoryNetworks } from '../../src/runtime/memory/memory-networks.ts';
import { MemoryRuntime } from '../../src/runtime/memory/memory-runtime.ts';
import type { Saga } from '../../src/tasks/saga.ts';
import { runSaga } from '../../src/tasks/saga-runner.ts';
import { leaseMilliseconds } from '../../src/tasks/task-store.ts';
import type { Clock } from '../../src/telemetry/clock.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { silentLogger } from '../../src/telemetry/logger.ts';
import type { CapsuleKind } from '../contract/runtime-contract.ts';
import { benchIdentity } from './bench-identity.ts';
import { StandingClock } from './standing-clock.ts';
import { memoryDatabase } from './task-bench.ts';
import { type Watch, watchedPort } from './watched-port.ts';

export interface LocalBenchOptions {
  /** Sees the settings before they are used. */
  change?(settings: Settings): void;
  /** How the runtime holds capsules; `joined` unless said. */
  capsules?: CapsuleKind;
}

/** `standalone` as it is composed, over the memory adapters: every operation, every saga, no server and nothing real. */
export class LocalBench {
  readonly clock = new StandingClock();
  readonly database: Database;
  readonly runtime: MemoryRuntime;
  readonly engineNetworks: MemoryNetworks;
  readonly engineVolumes = new MemoryEngineVolumes();
  /** Unwatched: what tests look at. */
  readonly networking: LocalNetworking;
  /** Runs around every call of a saga to a port and around its transactions; a test puts its own in its place. */
  watch: Watch = {};

  static async open({ change, capsules = 'joined' }: LocalBenchOptions = {}): Promise<LocalBench> {
    const bench = new LocalBench(await memoryDatabase(), capsules);
    const settings = defaultSettings('bench');
    change?.(settings);
    bench.#core = await bench.#compose(settings);
    await bench.report();
    await bench.networking.createNetwork({ neutronNetId: 'second' });
    await bench.engineVolumes.create({ name: 'existing', labels: {} });
    return bench;
  }

  readonly #inventory: LocalInventory;
  readonly #images: MemoryImageStore;
  #core: ZunCore | null = null;
  /** For whom time passes: one that was abandoned may end at any time, and is not to stop it for the next. */
  #timePassesFor: Promise<unknown> | null = null;

  private constructor(database: Database, capsules: CapsuleKind) {
    this.database = database;
    const registry = { 'busybox:latest': { image: memoryImage('busybox') }, 'nginx:latest': { image: memoryImage('nginx') } };
    this.#images = new MemoryImageStore({ registry });
    this.engineNetworks = new MemoryNetworks();
    const { clock, engineNetworks: networks } = this;
    this.runtime = new MemoryRuntime({ clock, ids: randomIds, images: this.#images, networks, capsules });
    this.networking = new GroupedNetworking({ database, engine: new MemoryEngineNetworks(this.engineNetworks), ids: randomIds });
    this.#inventory = new LocalInventory(database);
  }

  get core(): ZunCore {
    assert.ok(this.#core);
    return this.#core;
  }

  /** Another program on the same database and adapters, with a clock of its own. */
  other(clock: Clock): Promise<ZunCore> {
    return this.#compose(defaultSettings('bench'), clock);
  }

  #compose(settings: Settings, clock: Clock = this.clock): Promise<ZunCore> {
    const { database } = this;
    const watched = <T extends object>(name: string, port: T) => watchedPort(name, port, () => this.watch);
    return zunCore({
      settings,
      database: watched('database', database),
      runtime: watched('runtime', this.runtime),
      images: watched('images', this.#images),
      networking: watched('networking', this.networking),
      volumes: watched('volumes', new LocalVolumes({ database, engine: this.engineVolumes })),
      inventory: watched('inventory', this.#inventory),
      identity: benchIdentity,
      identityUrl: 'http://identity.example',
      fernet: new Fernet('0123456789abcdef0123456789abcdef'),
      policyFile: '/nonexistent/policy.yaml',
      clock,
      ids: randomIds,
      logger: silentLogger,
    });
  }

  /** The node's sign of life; without one for three minutes of the clock nothing is placed. */
  async report(): Promise<void> {
    const agent = startAgent({
      database: this.database,
      runtime: this.runtime,
      inventory: this.#inventory,
      clock: this.clock,
      ids: randomIds,
      logger: silentLogger,
      hostname: 'bench',
      availabilityZone: 'nova',
      allocationRatios: { cpu: 16, memory: 1.5, disk: 1 },
      cpuPinning: false,
      intervalSeconds: 60,
    });
    await agent.started;
    await agent.stop();
  }

  /** A request of the admin, who may everything. Refuses to go on unless it is accepted. */
  async ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, json?: unknown, version = '1.40'): Promise<Record<string, unknown>> {
    const answer = await this.core.server.inject({
      method,
      url: path,
      headers: {
        accept: 'application/json',
        'x-auth-token': 'admin',
        'openstack-api-version': `container ${version}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
    });
    assert.ok(answer.statusCode < 300, `${method} ${path}: ${answer.statusCode} ${answer.body}`);
    return answer.body === '' ? {} : ((JSON.parse(answer.body) as Record<string, unknown> | null) ?? {});
  }

  /** Runs what is queued to its end, waiting where tasks wait. */
  async runTasks(): Promise<void> {
    for (let rounds = 0; rounds < 500; rounds += 1) {
      const outcome = await this.runOne();
      if (outcome === 'none') return;
    }
    assert.fail('tasks do not come to an end');
  }

  /** Claims a task, if need be once its time has come, and runs its saga as far as it gets. */
  async runOne(change: (saga: Saga) => Saga = (saga) => saga): Promise<'none' | 'ended' | 'released' | 'lost'> {
    const { tasks: store, actions } = this.core.services;
    const waiting = await this.database.queries.selectFrom('openkeel_task').select('claimable_at').orderBy('claimable_at').execute();
    const [first] = waiting;
    if (!first) return 'none';
    await this.clock.advance(Math.max(0, Number(first.claimable_at) - this.clock.now()));
    const task = await store.claim('bench');
    if (!task) return 'released';
    const saga = this.core.sagas.get(task.kind);
    assert.ok(saga, `a saga for ${task.kind}`);
    const work = runSaga({ store, actions, clock: this.clock, logger: silentLogger }, change(saga), task, new AbortController().signal);
    return this.whileTimePasses(work);
  }

  /** What runs now is not waited for any more: its worker died. */
  abandon(): void {
    this.#timePassesFor = null;
  }

  /** Where the work waits for the clock, as a stop does for its grace period, the clock goes on. */
  async whileTimePasses<T>(work: Promise<T>): Promise<T> {
    this.#timePassesFor = work;
    const end = () => {
      if (this.#timePassesFor === work) this.#timePassesFor = null;
    };
    work.then(end, end);
    for (let looks = 1; this.#timePassesFor === work; looks += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      // So many looks without an end: it waits for nothing but the clock.
      if (looks % 20 === 0) await this.clock.advance(1_000);
    }
    return work;
  }

  /** So much time goes by, and what a worker then has to do with memory alone is done. */
  async pass(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds);
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** The lease of a worker that died runs out. */
  async outwaitLease(): Promise<void> {
    await this.clock.advance(leaseMilliseconds + 1);
  }
}

/** Neutron has security groups that can be changed; here a port has what it was told last. */
class GroupedNetworking extends LocalNetworking {
  async setSecurityGroups(): Promise<void> {}
}
