import type { Queries } from '../../src/db/database.ts';
import type { ContainerRuntime, RuntimeEvent, StreamHappening, WorkloadObservation } from '../../src/runtime/container-runtime.ts';
import type { MemoryImageStore } from '../../src/runtime/memory/memory-image-store.ts';
import type { MemoryNetworks } from '../../src/runtime/memory/memory-networks.ts';
import { MemoryRuntime } from '../../src/runtime/memory/memory-runtime.ts';
import { RuntimeFault } from '../../src/runtime/runtime-fault.ts';
import type { Clock } from '../../src/telemetry/clock.ts';
import type { SeededRandom } from './seeded-random.ts';

/** One machine with its engine. */
export interface SimulatedNode {
  name: string;
  engine: MemoryRuntime;
  /** Nobody reaches it; what runs there runs on. */
  isAway: boolean;
}

/** Members that are about the node they are asked of; all others name a workload, wherever it is. */
const ofTheNode = new Set(['name', 'runsHealthchecks', 'spansHosts', 'pullsAtStart', 'describeNode', 'list', 'events']);

/** The nodes as one runtime: a workload's calls go to the node that its row names, as a cluster's scheduler is told. */
export class SimulatedCluster {
  readonly nodes: SimulatedNode[];
  readonly #queries: Queries;
  readonly #spansHosts: boolean;
  /** Where a workload was last sent: its row may be gone before it is. */
  readonly #sent = new Map<string, SimulatedNode>();

  /** `spansHosts`: it has an API of its own, which tells of all nodes, and of those that it does not reach that nobody knows. */
  constructor(
    count: number,
    parts: {
      clock: Clock;
      random: SeededRandom;
      images: MemoryImageStore;
      networks: MemoryNetworks;
      queries: Queries;
      spansHosts: boolean;
    },
  ) {
    const { clock, random, images, networks } = parts;
    this.#queries = parts.queries;
    this.#spansHosts = parts.spansHosts;
    this.nodes = Array.from({ length: count }, (_unused, index) => {
      const name = `node-${index + 1}`;
      const node = { hostname: name, cpus: 4, memoryTotalMiB: 4096 };
      return { name, isAway: false, engine: new MemoryRuntime({ clock, ids: random.fork(name), images, networks, node }) };
    });
  }

  /** The runtime as the programs of one node have it: they list and follow their own node, or all of a cluster. */
  seenFrom(own: SimulatedNode): ContainerRuntime {
    const call = (node: SimulatedNode, member: string | symbol, args: unknown[]) => {
      if (node.isAway) throw new RuntimeFault('unreachable', `${node.name} does not answer`);
      const method = Reflect.get(node.engine, member, node.engine) as (...args: unknown[]) => unknown;
      return method.apply(node.engine, args);
    };
    return new Proxy<ContainerRuntime>(own.engine, {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member, target);
        if (member === 'spansHosts') return this.#spansHosts;
        if (typeof value !== 'function') return value;
        if (this.#spansHosts && member === 'list') return () => this.#list();
        if (this.#spansHosts && member === 'events') return (signal: AbortSignal, opened?: () => void) => this.#events(signal, opened);
        if (this.#spansHosts && member === 'inspect') return async (uuid: string) => seenFromOutside(await this.#nodeOf(uuid, own), uuid);
        if (member === 'events') return (...args: unknown[]) => call(own, member, args);
        if (ofTheNode.has(String(member))) return async (...args: unknown[]) => call(own, member, args);
        return async (...args: unknown[]) => call(await this.#nodeOf(uuidOf(args[0]), own), member, args);
      },
    });
  }

  async #list(): Promise<WorkloadObservation[]> {
    const all: WorkloadObservation[] = [];
    for (const node of this.nodes)
      for (const observation of await node.engine.list()) all.push(node.isAway ? unknown(node, observation) : observation);
    return all;
  }

  /** Of all nodes that answer, until the stream of one breaks: then all of it has. */
  async *#events(signal: AbortSignal, told?: (happening: StreamHappening) => void): AsyncIterable<RuntimeEvent> {
    const queue: RuntimeEvent[] = [];
    const broken = new AbortController();
    let wake = () => {};
    let failure: unknown = null;
    let open = 0;
    const followed = this.nodes.filter((node) => !node.isAway);
    const openedOne = (happening: StreamHappening) => {
      if (happening !== 'opened') return;
      open += 1;
      if (open === followed.length) told?.('opened');
    };
    const follow = async (node: SimulatedNode) => {
      try {
        for await (const event of node.engine.events(AbortSignal.any([signal, broken.signal]), openedOne)) {
          queue.push(event);
          wake();
        }
      } catch (error) {
        failure ??= error;
        broken.abort();
        wake();
      }
    };
    signal.addEventListener('abort', () => wake(), { once: true });
    for (const node of followed) void follow(node);
    if (followed.length === 0) told?.('opened');
    while (!signal.aborted && failure === null) {
      for (let event = queue.shift(); event; event = queue.shift()) yield event;
      if (!signal.aborted && failure === null) await new Promise<void>((resolve) => (wake = resolve));
    }
    if (!signal.aborted) throw failure;
  }

  async #nodeOf(uuid: string, own: SimulatedNode): Promise<SimulatedNode> {
    const row = await this.#queries
      .selectFrom('container')
      .leftJoin('container as capsule', 'capsule.id', 'container.capsule_id')
      .select(['container.host', 'capsule.host as capsuleHost'])
      .where('container.uuid', '=', uuid)
      .executeTakeFirst();
    const host = row?.host ?? row?.capsuleHost;
    const node = this.nodes.find(({ name }) => name === host) ?? this.#sent.get(uuid) ?? own;
    this.#sent.set(uuid, node);
    return node;
  }
}

async function seenFromOutside(node: SimulatedNode, uuid: string): Promise<WorkloadObservation | null> {
  const observation = await node.engine.inspect(uuid);
  return observation && node.isAway ? unknown(node, observation) : observation;
}

/** What an API that does not reach a node says of what is there. */
function unknown({ name }: SimulatedNode, { state, ...observation }: WorkloadObservation): WorkloadObservation {
  return { ...observation, state: { ...state, status: 'unknown', error: `${name} does not answer`, health: null } };
}

const uuidOf = (argument: unknown): string =>
  typeof argument === 'object' && argument !== null ? (argument as { uuid: string }).uuid : String(argument);
