import type { Database } from '../../src/db/database.ts';
import { LocalInventory } from '../../src/local/inventory/local-inventory.ts';
import { LocalNetworking } from '../../src/local/networking/local-networking.ts';
import { MemoryEngineNetworks } from '../../src/local/networking/memory-engine-networks.ts';
import { LocalVolumes } from '../../src/local/volumes/local-volumes.ts';
import { MemoryEngineVolumes } from '../../src/local/volumes/memory-engine-volumes.ts';
import { memoryImage } from '../../src/runtime/memory/memory-image.ts';
import { MemoryImageStore } from '../../src/runtime/memory/memory-image-store.ts';
import { MemoryNetworks } from '../../src/runtime/memory/memory-networks.ts';
import { LeaderHands } from './leader-hands.ts';
import { Life } from './life.ts';
import { ProcessClock } from './process-clock.ts';
import { SeededRandom } from './seeded-random.ts';
import { SharedDatabase } from './shared-database.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { SimulatedCluster } from './simulated-cluster.ts';
import { type Plant, type ProcessRole, SimulatedProcess } from './simulated-process.ts';
import { TaskHands } from './task-hands.ts';
import { Weather } from './weather.ts';

export interface WorldOptions {
  seed: number;
  apis: number;
  workers: number;
  nodes: number;
  /** The nodes are a cluster with an API of its own; else each has its engine, which only its own programs list and follow. */
  spansHosts: boolean;
  plant?: Plant;
}

/**
 * Processes and what is around them. The database, Placement, Neutron, Cinder, the registry and the engines outlive every process;
 * all that a process has of them goes through its life and through the weather.
 */
export class World {
  readonly random: SeededRandom;
  readonly clock = new SimulatedClock();
  readonly weather: Weather;
  readonly hands = new TaskHands();
  readonly leaders = new LeaderHands();
  readonly database: SharedDatabase;
  /** Nobody's: what tests look at, and what the services keep their own state in. */
  readonly observer: Database;
  readonly cluster: SimulatedCluster;
  readonly networking: LocalNetworking;
  readonly volumes: LocalVolumes;
  readonly engineVolumes = new MemoryEngineVolumes();
  readonly inventory: LocalInventory;
  readonly processes = new Map<string, SimulatedProcess>();
  readonly trace: string[] = [];
  readonly #options: WorldOptions;
  readonly #images: MemoryImageStore;
  readonly #began: number;
  #starts = 0;

  static async open(options: WorldOptions): Promise<World> {
    const world = new World(options, await SharedDatabase.open());
    await world.networking.createNetwork({ neutronNetId: 'zun' });
    await world.networking.createNetwork({ neutronNetId: 'second' });
    await world.engineVolumes.create({ name: 'existing', labels: {} });
    for (const name of world.names()) await world.start(name);
    return world;
  }

  private constructor(options: WorldOptions, database: SharedDatabase) {
    this.#options = options;
    this.random = new SeededRandom(options.seed);
    this.#began = this.clock.now();
    this.weather = new Weather(this.random.fork('weather'), this.clock);
    this.database = database;
    const ids = this.random.fork('services');
    this.observer = database.connect(new Life(), this.clock, ids);
    const registry = { 'busybox:latest': { image: memoryImage('busybox') }, 'nginx:latest': { image: memoryImage('nginx') } };
    this.#images = new MemoryImageStore({ registry });
    const networks = new MemoryNetworks();
    const parts = { clock: this.clock, random: this.random.fork('engines'), images: this.#images, networks };
    this.cluster = new SimulatedCluster(options.nodes, {
      ...parts,
      queries: this.observer.queries,
      spansHosts: options.spansHosts,
    });
    this.networking = new GroupedNetworking({ database: this.observer, engine: new MemoryEngineNetworks(networks), ids });
    this.volumes = new LocalVolumes({ database: this.observer, engine: this.engineVolumes });
    this.inventory = new LocalInventory(this.observer);
  }

  /** Of every process, whether it lives or not. */
  names(): string[] {
    const { apis } = this.#options;
    const numbered = Array.from({ length: apis }, (_unused, index) => `api-${index + 1}`);
    return ['auditor', ...numbered, ...this.cluster.nodes.map(({ name }) => name)];
  }

  get auditor(): SimulatedProcess {
    const auditor = this.processes.get('auditor');
    if (!auditor) throw new Error('nobody has started the auditor');
    return auditor;
  }

  tell(line: string): void {
    this.trace.push(`${((this.clock.now() - this.#began) / 1000).toFixed(3)} ${line}`);
  }

  /** Starts the process of that name, anew if it died. */
  async start(name: string): Promise<void> {
    const { hands, leaders, weather } = this;
    this.#starts += 1;
    const life = new Life();
    const clock = new ProcessClock(this.clock, life);
    const ids = this.random.fork(name);
    const own = this.cluster.nodes.find((node) => node.name === name);
    const roles = this.#rolesOf(name);
    const [first] = this.cluster.nodes;
    if (!first) throw new Error('a world needs a node');
    const caller = { life, tell: (line: string) => this.tell(`${name} ${line}`) };
    const process = `${name}#${this.#starts}`;
    const parts = {
      name: process,
      host: own?.name ?? name,
      roles,
      life,
      clock,
      ids,
      database: this.database.connect(life, clock, ids),
      runtime: weather.around('engine', 'runtime', this.cluster.seenFrom(own ?? first), caller, new Set(['events'])),
      images: weather.around('engine', 'images', this.#images, caller),
      networking: weather.around('service', 'networking', this.networking, caller),
      volumes: weather.around('service', 'volumes', this.volumes, caller),
      inventory: weather.around('service', 'inventory', this.inventory, caller),
      ownEngine: (own ?? first).engine,
      tasks: hands.observer(process, (line) => this.tell(line)),
      sync: leaders.observer(process, life, (line) => this.tell(line)),
    };
    this.processes.set(name, await SimulatedProcess.start(parts, (saga) => hands.fenced(saga, process), this.#options.plant));
    this.tell(`${process} starts`);
  }

  /** Ends everybody's waiting, so that nothing keeps the world in memory. */
  async close(): Promise<void> {
    for (const { parts } of this.processes.values()) parts.life.die();
    for (const { engine } of this.cluster.nodes) engine.dropConnections();
    await this.settle();
    this.clock.end();
    await this.database.close();
  }

  #rolesOf(name: string): ReadonlySet<ProcessRole> {
    const index = this.cluster.nodes.findIndex((node) => node.name === name);
    if (index < 0) return new Set([name === 'auditor' ? 'auditor' : 'api']);
    return new Set(index < this.#options.workers ? (['node', 'worker'] as const) : (['node'] as const));
  }

  /** Lets everybody do what can be done now. All that waits afterwards waits for the clock. */
  async settle(): Promise<void> {
    for (let [idle, seen] = [0, -1]; idle < 3; ) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = this.database.statements + this.weather.calls;
      idle = now === seen ? idle + 1 : 0;
      seen = now;
    }
  }
}

/** Neutron has security groups that can be changed; here a port has what it was told last. */
class GroupedNetworking extends LocalNetworking {
  async setSecurityGroups(): Promise<void> {}
}
