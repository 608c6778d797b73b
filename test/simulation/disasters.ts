import { NodeDisasters } from './node-disasters.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedNode } from './simulated-cluster.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

const weights = {
  'process killed somewhere': 8,
  'process killed now': 3,
  'process ended': 3,
  'process stopped for moments': 3,
  'leader killed': 2,
  'leader stopped for long': 3,
  'clock set': 4,
  'node away': 3,
  'node lost': 3,
  'node declared down': 2,
  'engine restarted': 2,
  'event streams lost': 3,
  'workload ends': 4,
  'workload taken away': 1,
};

/** What befalls processes, nodes and workloads, by seed, and what is done about it later. */
export class Disasters {
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #nodes: NodeDisasters;
  #later: { at: number; act: () => void | Promise<void> }[] = [];
  readonly #dead = new Set<string>();
  readonly #leaving = new Set<SimulatedProcess>();
  readonly #skewSeconds: number;

  constructor(world: World, skewSeconds: number) {
    this.#world = world;
    this.#skewSeconds = skewSeconds;
    this.#random = world.random.fork('disasters');
    this.#nodes = new NodeDisasters(world, this.#random, (from, to, act) => this.#after(from, to, act));
  }

  async one(): Promise<void> {
    const kind = this.#random.weighted(weights);
    const process = this.#random.pick(
      [...this.#world.processes.values()].filter(({ isAlive, parts }) => isAlive && !parts.roles.has('auditor')),
    );
    const node = await this.#node();
    if (!process || !node) return;
    const victim = kind.startsWith('leader') ? this.#leader() : process;
    const ofProcess = kind.startsWith('process') || kind.startsWith('leader') || kind === 'clock set';
    this.#world.tell(`*** ${kind}: ${ofProcess ? (victim?.parts.name ?? 'nobody leads') : node.name}`);
    if (victim && ofProcess) this.#strike(kind, victim);
    else await this.#nodes.strike(kind, node);
  }

  #strike(kind: keyof typeof weights, process: SimulatedProcess): void {
    const { life, roles } = process.parts;
    if (kind === 'process killed somewhere') life.light(this.#random.between(1, 60));
    if (kind === 'process killed now' || kind === 'leader killed') life.die();
    if (kind === 'process ended') {
      this.#leaving.add(process);
      void process.stop();
    }
    // A worker that sleeps past its lease may do once more what it was about to do; nobody can keep it from that.
    const mayBeLong = kind === 'leader stopped for long' && !roles.has('worker');
    if (kind === 'process stopped for moments' || kind === 'leader stopped for long') this.#stop(process, mayBeLong);
    if (kind === 'clock set') this.#setClock(process);
  }

  /** Does what is due, and starts anew who died a while ago. */
  async due(): Promise<void> {
    const { clock, processes } = this.#world;
    for (const [name, process] of processes) {
      if (process.isAlive || this.#dead.has(name) || this.#nodes.lost.has(name)) continue;
      this.#world.tell(`${process.parts.name} is dead`);
      this.#dead.add(name);
      this.#after(1, 60, async () => {
        this.#dead.delete(name);
        if (!this.#nodes.lost.has(name)) await this.#world.start(name);
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
    const { processes, weather } = this.#world;
    weather.calm = true;
    await this.#nodes.end();
    for (const { parts } of processes.values()) parts.clock.offset = 0;
    for (const { parts } of processes.values()) parts.life.light(Number.POSITIVE_INFINITY);
    for (const { parts } of processes.values()) parts.life.wake();
    for (const { parts } of this.#leaving) parts.life.die();
    for (const [name, process] of processes) if (!process.isAlive) await this.#world.start(name);
    this.#later = [];
  }

  /** Mostly one that has something: the first in order gets most. */
  async #node(): Promise<SimulatedNode | undefined> {
    const { nodes } = this.#world.cluster;
    const used: SimulatedNode[] = [];
    for (const node of nodes) if ((await node.engine.list()).length > 0) used.push(node);
    return this.#random.pick(used.length > 0 && this.#random.chance(0.7) ? used : nodes);
  }

  #leader(): SimulatedProcess | undefined {
    const leading = this.#world.leaders.leading();
    return this.#random.pick([...this.#world.processes.values()].filter(({ isAlive, parts }) => isAlive && leading.includes(parts.name)));
  }

  /** As SIGSTOP and SIGCONT. */
  #stop({ parts: { life } }: SimulatedProcess, mayBeLong: boolean): void {
    life.stop();
    this.#after(1, mayBeLong ? 90 : 4, () => life.wake());
  }

  #setClock({ parts: { clock } }: SimulatedProcess): void {
    clock.offset = this.#random.between(-this.#skewSeconds, this.#skewSeconds) * 1_000;
    this.#after(1, 90, () => {
      clock.offset = 0;
    });
  }

  /** In so many seconds. */
  #after(from: number, to: number, act: () => void | Promise<void>): void {
    this.#later.push({ at: this.#world.clock.now() + this.#random.between(from, to) * 1_000, act });
  }
}
