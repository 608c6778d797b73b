import type { Database } from '../../db/database.ts';
import { takeLock } from '../../db/take-lock.ts';
import { conflict, invalidValue, networkNotFound, portInUse, portNotFound } from '../../errors/catalogue.ts';
import type { Network, Networking, Port, PortRequest } from '../../networking/networking.ts';
import { isUuidLike } from '../../rules/uuid-like.ts';
import type { Ids } from '../../telemetry/ids.ts';
import { orRefusal } from '../engine-refusal.ts';
import { stableUuid } from '../stable-uuid.ts';
import { assignAddresses } from './assign-addresses.ts';
import type { EngineNetwork, EngineNetworks } from './engine-networks.ts';
import { deletePort, findPort, insertPort, type LocalPort, portsWhere, setPortContainer, takePort } from './local-port-store.ts';
import { networkLabel } from './network-label.ts';
import { parseCidr } from './subnet-addresses.ts';

/** Made at first use, where the engine has no network of its own; a container that names no network is on it. */
const defaultNetworkName = 'zun';
const defaultGroup = 'default';

/**
 * Neutron's part in `standalone`: networks are the engine's, for every project; ports are rows of `openkeel_local_port`, whose
 * addresses come from the networks' subnets. There is one security group, `default`, that lets everything through.
 */
export class LocalNetworking implements Networking {
  readonly #database: Database;
  readonly #engine: EngineNetworks;
  readonly #ids: Ids;
  readonly #defaultName: string;
  readonly #names = new Map<string, string>();

  constructor(options: { database: Database; engine: EngineNetworks; ids: Ids; defaultNetwork?: string }) {
    this.#defaultName = options.defaultNetwork ?? defaultNetworkName;
    this.#database = options.database;
    this.#engine = options.engine;
    this.#ids = options.ids;
  }

  async findNetwork(ident: string): Promise<Network> {
    return networkOf(await this.#find(ident));
  }

  async defaultNetwork(): Promise<Network> {
    const existing = (await this.#list()).find((network) => network.name === this.#defaultName);
    return networkOf(existing ?? (await this.#create(this.#defaultName)));
  }

  async findSecurityGroups(idents: string[], projectId: string): Promise<string[]> {
    const id = groupId(projectId);
    return idents.map((ident) => {
      if (ident !== defaultGroup && ident.toLowerCase() !== id) throw invalidValue(`Security group ${ident} not found.`);
      return id;
    });
  }

  async findPort(ident: string, projectId: string): Promise<Port> {
    const port = await findPort(this.#database.queries, { id: ident.toLowerCase() });
    if (port?.projectId !== projectId) throw portNotFound(ident);
    return portOf(port);
  }

  async createPort(request: PortRequest): Promise<Port> {
    const existing = await findPort(this.#database.queries, { key: request.key });
    if (existing) return portOf(existing);
    const engineNetwork = await this.#find(request.networkId);
    const network = networkOf(engineNetwork);
    const asksForAddress = request.fixedIpv4 !== null || request.fixedIpv6 !== null;
    if (asksForAddress && engineNetwork.refusesAddresses !== undefined) throw conflict(engineNetwork.refusesAddresses);
    const endpoints = await orRefusal(this.#engine.addressesInUse(engineNetwork));
    return this.#database.transaction(async (transaction) => {
      // Who chooses an address sees those that others have chosen.
      await takeLock(transaction, `network ${network.id}`);
      const again = await findPort(transaction, { key: request.key });
      if (again) return portOf(again);
      const ports = await portsWhere(transaction, { networkId: network.id });
      const fixedIps = assignAddresses(network, {
        fixedIpv4: request.fixedIpv4,
        fixedIpv6: request.fixedIpv6,
        taken: [...endpoints, ...ports.flatMap((port) => port.fixedIps.map((ip) => ip.address))],
        assign: engineNetwork.takesAddresses,
        begin: (bound) => this.#ids.below(bound),
      });
      const { key, projectId, containerUuid } = request;
      const port: LocalPort = {
        id: this.#ids.uuid(),
        key,
        networkId: network.id,
        projectId,
        containerUuid,
        macAddress: this.#mac(),
        fixedIps,
      };
      await insertPort(transaction, port);
      return portOf(port);
    });
  }

  async bindPort(portId: string, binding: { containerUuid: string }): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      if (await takePort(transaction, portId, binding.containerUuid)) return;
      throw (await findPort(transaction, { id: portId })) ? portInUse(portId) : portNotFound(portId);
    });
  }

  async unbindPort(portId: string): Promise<void> {
    await setPortContainer(this.#database.queries, portId, '');
  }

  async deletePort(portId: string): Promise<void> {
    await deletePort(this.#database.queries, portId);
  }

  async listPorts(containerUuid: string): Promise<Port[]> {
    return (await portsWhere(this.#database.queries, { containerUuid })).map(portOf);
  }

  /** No engine renames a network, so one look is enough. */
  async engineNetwork(networkId: string): Promise<string> {
    const known = this.#names.get(networkId);
    if (known !== undefined) return known;
    const { name, attachedAs = name } = await this.#find(networkId);
    this.#names.set(networkId, attachedAs);
    return attachedAs;
  }

  async createNetwork(request: { neutronNetId: string }): Promise<Network> {
    const ident = request.neutronNetId;
    const existing = (await this.#list()).filter((network) => matches(network, ident));
    if (existing.length > 0 || isUuidLike(ident)) return networkOf(one(existing, ident));
    return networkOf(await this.#create(ident));
  }

  /** Networks that were not made by Zun stay in the engine. */
  async deleteNetwork(networkId: string): Promise<void> {
    const network = (await this.#list()).find((candidate) => idOf(candidate) === networkId);
    if (!network?.labels[networkLabel]) return;
    const ports = await portsWhere(this.#database.queries, { networkId });
    if (ports.length > 0) {
      throw conflict(`Unable to complete operation on network ${networkId}. There are one or more ports still in use on the network.`);
    }
    await orRefusal(this.#engine.remove(network));
  }

  #list(): Promise<EngineNetwork[]> {
    return orRefusal(this.#engine.list());
  }

  async #find(ident: string): Promise<EngineNetwork> {
    return one(
      (await this.#list()).filter((network) => matches(network, ident)),
      ident,
    );
  }

  /** One program at a time: Docker takes a second network of a name where two ask together. */
  #create(name: string): Promise<EngineNetwork> {
    const labels = { [networkLabel]: stableUuid(`network made ${name}`) };
    return this.#database.transaction(async (transaction) => {
      await takeLock(transaction, 'new networks');
      return orRefusal(this.#engine.create(name, labels));
    });
  }

  /** Under Neutron's default prefix (`base_mac`), which is locally administered. */
  #mac(): string {
    const byte = () => this.#ids.below(256).toString(16).padStart(2, '0');
    return `fa:16:3e:${byte()}:${byte()}:${byte()}`;
  }
}

const idOf = (network: EngineNetwork): string => network.labels[networkLabel] || stableUuid(`network ${network.id}`);
const groupId = (projectId: string): string => stableUuid(`security group ${projectId}/${defaultGroup}`);
const matches = (network: EngineNetwork, ident: string): boolean =>
  isUuidLike(ident) ? idOf(network) === ident.toLowerCase() : network.name === ident;

function one(found: EngineNetwork[], ident: string): EngineNetwork {
  if (found.length > 1) throw conflict('Multiple neutron networks exist with same name. Please use the uuid instead.');
  const [network] = found;
  if (!network) throw networkNotFound(ident);
  return network;
}

function networkOf(network: EngineNetwork): Network {
  const id = idOf(network);
  const subnets = network.subnets.map(({ cidr, gateway }) => ({
    id: stableUuid(`subnet ${id} ${cidr}`),
    cidr,
    version: parseCidr(cidr)?.version ?? 4,
    gateway,
  }));
  return { id, name: network.name, subnets };
}

function portOf({ id, networkId, macAddress, fixedIps, containerUuid, projectId }: LocalPort): Port {
  return { id, networkId, macAddress, fixedIps, containerUuid, securityGroups: [groupId(projectId)] };
}
