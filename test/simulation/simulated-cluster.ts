import type { Queries } from '../../src/db/database.ts';
import type { ContainerRuntime } from '../../src/runtime/container-runtime.ts';
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
  /** Where a workload was last sent: its row may be gone before it is. */
  readonly #sent = new Map<string, SimulatedNode>();

  constructor(
    count: number,
    parts: { clock: Clock; random: SeededRandom; images: MemoryImageStore; networks: MemoryNetworks; queries: Queries },
  ) {
    const { clock, random, images, networks } = parts;
    this.#queries = parts.queries;
    this.nodes = Array.from({ length: count }, (_unused, index) => {
      const name = `node-${index + 1}`;
      const node = { hostname: name, cpus: 4, memoryTotalMiB: 4096 };
      return { name, isAway: false, engine: new MemoryRuntime({ clock, ids: random.fork(name), images, networks, node }) };
    });
  }

  /** The runtime as the programs of one node have it: they list and follow their own node. */
  seenFrom(own: SimulatedNode): ContainerRuntime {
    const call = (node: SimulatedNode, member: string | symbol, args: unknown[]) => {
      if (node.isAway) throw new RuntimeFault('unreachable', `${node.name} does not answer`);
      const method = Reflect.get(node.engine, member, node.engine) as (...args: unknown[]) => unknown;
      return method.apply(node.engine, args);
    };
    return new Proxy<ContainerRuntime>(own.engine, {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member, target);
        if (typeof value !== 'function') return value;
        if (member === 'events') return (...args: unknown[]) => call(own, member, args);
        if (ofTheNode.has(String(member))) return async (...args: unknown[]) => call(own, member, args);
        return async (...args: unknown[]) => call(await this.#nodeOf(uuidOf(args[0]), own), member, args);
      },
    });
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

const uuidOf = (argument: unknown): string =>
  typeof argument === 'object' && argument !== null ? (argument as { uuid: string }).uuid : String(argument);
