import { MemoryNetworks } from '../../runtime/memory/memory-networks.ts';
import type { EngineNetwork, EngineNetworks } from './engine-networks.ts';

/** The networks of the memory runtime, /16 each so that load tests do not exhaust one; pass the runtime's own `MemoryNetworks` so that workloads can join them. */
export class MemoryEngineNetworks implements EngineNetworks {
  readonly #runtime: MemoryNetworks;
  readonly #networks = new Map<string, EngineNetwork>();

  constructor(runtime: MemoryNetworks = new MemoryNetworks()) {
    this.#runtime = runtime;
  }

  async list(): Promise<EngineNetwork[]> {
    return [...this.#networks.values()];
  }

  async addressesInUse(network: EngineNetwork): Promise<string[]> {
    return [...this.#runtime.require(network.name).attached.values()].flatMap(({ ipv4 }) => (ipv4 ? [ipv4] : []));
  }

  async create(name: string, labels: Record<string, string>): Promise<EngineNetwork> {
    const existing = this.#networks.get(name);
    if (existing) return existing;
    const prefix = `10.${this.#networks.size % 256}`;
    const subnets = [{ cidr: `${prefix}.0.0/16`, gateway: `${prefix}.0.1` }];
    const network = { id: `memory-${name}`, name, labels, subnets, takesAddresses: true };
    this.#runtime.add(name, `${prefix}.0`);
    this.#networks.set(name, network);
    return network;
  }

  async remove(network: EngineNetwork): Promise<void> {
    this.#runtime.remove(network.name);
    this.#networks.delete(network.name);
  }
}
