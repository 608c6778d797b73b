import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedNode } from './simulated-cluster.ts';
import type { World } from './world.ts';

/** In so many seconds, by seed. */
type After = (from: number, to: number, act: () => void | Promise<void>) => void;

/** What befalls a node and what runs there. */
export class NodeDisasters {
  /** Nodes that are gone with their programs: what ran there runs on unseen, and nobody starts them before they are back. */
  readonly lost = new Set<string>();
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #after: After;

  constructor(world: World, random: SeededRandom, after: After) {
    this.#world = world;
    this.#random = random;
    this.#after = after;
  }

  async strike(kind: string, node: SimulatedNode): Promise<void> {
    const { engine } = node;
    if (kind === 'node away') this.#takeAway(node, 1, 90);
    if (kind === 'node lost') this.#lose(node);
    if (kind === 'node declared down') await this.#declareDown(node);
    if (kind === 'event streams lost') engine.dropConnections();
    if (kind === 'engine restarted') {
      engine.dropConnections();
      for (const { uuid, state } of await engine.list()) if (state.status === 'running') await engine.kill(uuid, 'SIGKILL');
    }
    if (kind === 'workload ends' || kind === 'workload taken away') await this.#harm(kind, node);
  }

  /** Every node is back, and nobody says of one that it is down. */
  async end(): Promise<void> {
    this.lost.clear();
    for (const node of this.#world.cluster.nodes) {
      this.#bringBack(node);
      await this.#say(node, false);
    }
  }

  #takeAway(node: SimulatedNode, from: number, to: number): void {
    node.isAway = true;
    node.engine.dropConnections();
    this.#after(from, to, () => this.#bringBack(node));
  }

  #bringBack(node: SimulatedNode): void {
    // Another disaster may have it.
    if (this.lost.has(node.name)) return;
    node.isAway = false;
    // What a cluster tells of its nodes it tells of this one again.
    for (const { engine } of this.#world.cluster.nodes) engine.dropConnections();
  }

  /** Longer than it takes to be noticed, mostly. */
  #lose(node: SimulatedNode): void {
    this.lost.add(node.name);
    this.#world.processes.get(node.name)?.parts.life.die();
    node.isAway = true;
    node.engine.dropConnections();
    this.#after(40, 150, () => {
      this.#world.tell(`*** ${node.name} is back`);
      this.lost.delete(node.name);
      this.#bringBack(node);
    });
  }

  async #declareDown(node: SimulatedNode): Promise<void> {
    await this.#say(node, true);
    this.#after(20, 90, () => this.#say(node, false));
  }

  async #say({ name: host }: SimulatedNode, forcedDown: boolean): Promise<void> {
    const body = { host, binary: 'zun-compute', forced_down: forcedDown };
    await this.#world.auditor.request('admin', 'PUT', '/v1/services/force_down', body);
  }

  async #harm(kind: 'workload ends' | 'workload taken away', { engine }: SimulatedNode): Promise<void> {
    const running = (await engine.list()).filter(({ state }) => state.status === 'running');
    const { uuid } = this.#random.pick(running) ?? {};
    if (uuid === undefined) return;
    if (kind === 'workload ends') await engine.kill(uuid, 'SIGKILL');
    else await engine.remove(uuid);
    this.#world.tell(`*** it was ${uuid.slice(0, 8)}`);
  }
}
