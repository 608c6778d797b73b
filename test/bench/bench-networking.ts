import { conflict, invalidValue, networkNotFound, portNotFound } from '../../src/errors/catalogue.ts';
import type { Network, Networking, Port, PortRequest } from '../../src/networking/networking.ts';
import type { MemoryNetworks } from '../../src/runtime/memory/memory-networks.ts';

/** Two networks, three security groups, and ports that tests look at: networking with nothing behind it. */
export class BenchNetworking implements Networking {
  readonly ports = new Map<string, Port & { key: string }>();
  readonly networks: Network[];
  readonly #engine: MemoryNetworks;
  #lastAddress = 9;
  /** Set by a test to make every call fail. */
  failure: Error | null = null;

  constructor(engine: MemoryNetworks) {
    this.#engine = engine;
    this.networks = [network('private', 1), network('second', 2)];
    for (const { name } of this.networks) engine.add(`engine-${name}`, `10.${name === 'private' ? 1 : 2}.0`);
  }

  async findNetwork(ident: string): Promise<Network> {
    if (this.failure) throw this.failure;
    const found = this.networks.find(({ id, name }) => id === ident || name === ident);
    if (!found) throw networkNotFound(ident);
    return found;
  }

  async defaultNetwork(): Promise<Network> {
    return this.findNetwork('private');
  }

  async findSecurityGroups(idents: string[]): Promise<string[]> {
    return idents.map((ident) => {
      if (!['sg-default', 'sg-web'].includes(`sg-${ident}`)) throw invalidValue(`Security group ${ident} not found.`);
      return `sg-${ident}`;
    });
  }

  async findPort(ident: string): Promise<Port> {
    if (this.failure) throw this.failure;
    const port = this.ports.get(ident);
    if (!port) throw portNotFound(ident);
    return port;
  }

  async createPort(request: PortRequest): Promise<Port> {
    if (this.failure) throw this.failure;
    for (const port of this.ports.values()) if (port.key === request.key) return port;
    return this.addPort(request.networkId, request);
  }

  /** A port that a user has made, or one that a container gets. */
  addPort(networkId: string, request: Partial<PortRequest> = {}): Port {
    const found = this.networks.find(({ id }) => id === networkId);
    const [subnet] = found?.subnets ?? [];
    if (!subnet) throw networkNotFound(networkId);
    this.#lastAddress += 1;
    const address = request.fixedIpv4 ?? `${subnet.cidr.split('.0/')[0]}.${this.#lastAddress}`;
    const port = {
      id: `port-${this.#lastAddress}`,
      key: request.key ?? '',
      networkId,
      macAddress: null,
      fixedIps: [{ subnetId: subnet.id, address, version: 4 as const }],
      containerUuid: request.containerUuid ?? '',
      securityGroups: request.securityGroups ?? [],
    };
    this.ports.set(port.id, port);
    return port;
  }

  async bindPort(portId: string, { containerUuid }: { containerUuid: string }): Promise<void> {
    (await this.findPort(portId)).containerUuid = containerUuid;
  }

  async unbindPort(portId: string): Promise<void> {
    (await this.findPort(portId)).containerUuid = '';
  }

  async deletePort(portId: string): Promise<void> {
    if (this.failure) throw this.failure;
    this.ports.delete(portId);
  }

  async listPorts(containerUuid: string): Promise<Port[]> {
    return [...this.ports.values()].filter((port) => port.containerUuid === containerUuid);
  }

  async setSecurityGroups(portId: string, securityGroups: string[]): Promise<void> {
    (await this.findPort(portId)).securityGroups = securityGroups;
  }

  async engineNetwork(networkId: string): Promise<string> {
    const { name } = await this.findNetwork(networkId);
    this.#engine.require(`engine-${name}`);
    return `engine-${name}`;
  }

  async createNetwork(): Promise<Network> {
    throw conflict('the bench makes no networks');
  }

  async deleteNetwork(): Promise<void> {
    throw conflict('the bench deletes no networks');
  }
}

function network(name: string, number: number): Network {
  const id = `${String(number).repeat(8)}-0000-4000-8000-000000000000`;
  return { id, name, subnets: [{ id: `subnet-${number}`, cidr: `10.${number}.0.0/24`, version: 4, gateway: `10.${number}.0.1` }] };
}
