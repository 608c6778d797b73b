import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedNode } from './simulated-cluster.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

const weights = {
  'process killed somewhere': 8,
  'process killed now': 3,
  'process stopped': 3,
  'clock set': 4,
  'node away': 3,
  'engine restarted': 2,
  'event streams lost': 3,
  'workload ends': 4,
  'workload taken away': 1,
};

/** What befalls processes, nodes and workloads, by seed, and what is done about it later. */
export class Disasters {
  readonly #world: World;
  readonly #random: SeededRandom;
  #later: { at: number; act: () => void | Promise<void> }[] = [];
  readonly #dead = new Set<string>();
  readonly #leaving = new Set<SimulatedProcess>();
  readonly #skewSeconds: number;

  constructor(world: World, skewSeconds: number) {
    this.#world = world;
    this.#skewSeconds = skewSeconds;
    this.#random = world.random.fork('disasters');
  }

  async one(): Promise<void> {
    const kind = this.#random.weighted(weights);
    const process = this.#random.pick(
      [...this.#world.processes.values()].filter(({ isAlive, parts }) => isAlive && !parts.roles.has('auditor')),
    );
    const node = this.#random.pick(this.#world.cluster.nodes);
    if (!process || !node) return;
    this.#world.tell(`*** ${kind}: ${kind.startsWith('process') || kind === 'clock set' ? process.parts.name : node.name}`);
    if (kind === 'process killed somewhere') process.parts.life.light(this.#random.between(1, 60));
    if (kind === 'process killed now') process.parts.life.die();
    if (kind === 'process stopped') {
      this.#leaving.add(process);
      void process.stop();
    }
    if (kind === 'clock set') this.#setClock(process);
    if (kind === 'node away') this.#takeAway(node);
    if (kind === 'event streams lost') node.engine.dropConnections();
    if (kind === 'engine restarted') {
      node.engine.dropConnections();
      for (const { uuid, state } of await node.engine.list()) if (state.status === 'running') await node.engine.kill(uuid, 'SIGKILL');
    }
    if (kind === 'workload ends' || kind === 'workload taken away') await this.#harm(kind, node);
  }

  /** Does what is due, and starts anew who died a while ago. */
  async due(): Promise<void> {
    const { clock, processes } = this.#world;
    for (const [name, process] of processes) {
      if (process.isAlive || this.#dead.has(name)) continue;
      this.#world.tell(`${process.parts.name} is dead`);
      this.#dead.add(name);
      this.#later.push({
        at: clock.now() + this.#random.between(1, 60) * 1_000,
        act: async () => {
          this.#dead.delete(name);
          await this.#world.start(name);
        },
      });
    }
    const due = this.#later.filter(({ at }) => at <= clock.now());
    this.#later = this.#later.filter(({ at }) => at > clock.now());
    for (const { act } of due) await act();
  }

  /** The next time at which something is due. */
  next(): number {
    return Math.min(...this.#later.map(({ at }) => at));
  }

  /** All is well again at once. */
  async end(): Promise<void> {
    const { processes, cluster, weather } = this.#world;
    weather.calm = true;
    for (const node of cluster.nodes) node.isAway = false;
    for (const { parts } of processes.values()) parts.clock.offset = 0;
    for (const { parts } of processes.values()) parts.life.light(Number.POSITIVE_INFINITY);
    for (const { parts } of this.#leaving) parts.life.die();
    for (const [name, process] of processes) if (!process.isAlive) await this.#world.start(name);
    this.#later = [];
  }

  #setClock({ parts: { clock } }: SimulatedProcess): void {
    clock.offset = this.#random.between(-this.#skewSeconds, this.#skewSeconds) * 1_000;
    this.#after(() => {
      clock.offset = 0;
    });
  }

  #takeAway(node: SimulatedNode): void {
    node.isAway = true;
    node.engine.dropConnections();
    this.#after(() => {
      node.isAway = false;
    });
  }

  async #harm(kind: 'workload ends' | 'workload taken away', { engine }: SimulatedNode): Promise<void> {
    const running = (await engine.list()).filter(({ state }) => state.status === 'running');
    const { uuid } = this.#random.pick(running) ?? {};
    if (uuid === undefined) return;
    if (kind === 'workload ends') await engine.kill(uuid, 'SIGKILL');
    else await engine.remove(uuid);
    this.#world.tell(`*** it was ${uuid.slice(0, 8)}`);
  }

  #after(act: () => void): void {
    this.#later.push({ at: this.#world.clock.now() + this.#random.between(1, 90) * 1_000, act });
  }
}
