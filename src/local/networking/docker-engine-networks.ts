import type { EngineClient } from '../../runtime/docker/engine-client.ts';
import { isFault, RuntimeFault } from '../../runtime/runtime-fault.ts';
import type { EngineNetwork, EngineNetworks } from './engine-networks.ts';
import { networkLabel } from './network-label.ts';

/** A network as `GET /networks` has it. */
interface ListedNetwork {
  Id?: string;
  Name?: string;
  Driver?: string;
  Labels?: Record<string, string> | null;
  IPAM?: { Config?: { Subnet?: string; Gateway?: string }[] | null };
  /** Only when one network is inspected. */
  Containers?: Record<string, { IPv4Address?: string; IPv6Address?: string }> | null;
}

/** The networks of a Docker Engine API. */
export class DockerEngineNetworks implements EngineNetworks {
  readonly #engine: EngineClient;
  /** The making of a network under way: two at a time could be given the same subnet. */
  #making: Promise<unknown> = Promise.resolve();

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  async list(): Promise<EngineNetwork[]> {
    const listed = await this.#engine.json<ListedNetwork[]>({ method: 'GET', path: '/networks' });
    const isPodman = await this.#isPodman();
    return listed.filter((network) => isUsable(network, isPodman)).map((network) => networkOf(network, isPodman));
  }

  async addressesInUse(network: EngineNetwork): Promise<string[]> {
    const path = `/networks/${encodeURIComponent(network.id)}`;
    const { Containers: containers } = await this.#engine.json<ListedNetwork>({ method: 'GET', path });
    const addresses = Object.values(containers ?? {}).flatMap(({ IPv4Address: v4, IPv6Address: v6 }) => [v4, v6]);
    return addresses.flatMap((address) => (address ? [address.split('/')[0] ?? ''] : []));
  }

  create(name: string, labels: Record<string, string>): Promise<EngineNetwork> {
    const made = this.#making.then(() => this.#createOnce(name, labels));
    this.#making = made.catch(() => {});
    return made;
  }

  async #createOnce(name: string, labels: Record<string, string>): Promise<EngineNetwork> {
    const existing = await this.#find(name);
    if (existing) return existing;
    const config = (await this.#isPodman()) ? [] : [await this.#freeSubnet(name)];
    try {
      await this.#create(name, labels, config);
    } catch (error) {
      if (!isFault(error, 'conflict') && !(isFault(error) && /already exists/i.test(error.message))) throw error;
    }
    const made = await this.#find(name);
    if (!made) throw new RuntimeFault('failed', `The network ${name} can't be found after it was made.`);
    return made;
  }

  async remove(network: EngineNetwork): Promise<void> {
    try {
      // Podman's Docker API removes the network together with its containers.
      const api = (await this.#isPodman()) ? 'libpod' : 'docker';
      await this.#engine.request({ method: 'DELETE', path: `/networks/${encodeURIComponent(network.name)}`, api });
    } catch (error) {
      if (isFault(error, 'not-found')) return;
      // Docker answers 403, Podman 500 for a network that is in use.
      if (isFault(error) && /active endpoints|in use|being used|associated containers/i.test(error.message)) {
        throw new RuntimeFault('conflict', error.message, { cause: error });
      }
      throw error;
    }
  }

  /**
   * Docker takes no addresses on a subnet that it chose itself, and refuses no subnet that the machine uses elsewhere. So it chooses
   * one for a network that is removed at once, and is then given that one.
   */
  async #freeSubnet(name: string): Promise<{ Subnet: string; Gateway: string }> {
    const probe = `${name}-subnet`;
    await this.#removeProbes(probe);
    const path = `/networks/${await this.#create(probe, { [networkLabel]: '' }, [])}`;
    try {
      const [config] = (await this.#engine.json<ListedNetwork>({ method: 'GET', path })).IPAM?.Config ?? [];
      if (!config?.Subnet || !config.Gateway) throw new RuntimeFault('failed', 'The engine chose no subnet for a new network.');
      return { Subnet: config.Subnet, Gateway: config.Gateway.split('/')[0] ?? '' };
    } finally {
      await this.#engine.request({ method: 'DELETE', path });
    }
  }

  /** A crash may have left one; Docker takes a second of its name where two ask at the same time. */
  async #removeProbes(name: string): Promise<void> {
    const listed = await this.#engine.json<ListedNetwork[]>({ method: 'GET', path: '/networks' });
    for (const { Id: id } of listed.filter((network) => network.Name === name && network.Labels?.[networkLabel] === '')) {
      await this.#engine.request({ method: 'DELETE', path: `/networks/${id}` });
    }
  }

  /** Its id in the engine. */
  async #create(name: string, labels: Record<string, string>, config: { Subnet: string; Gateway: string }[]): Promise<string> {
    const json = { Name: name, Driver: 'bridge', CheckDuplicate: true, Labels: labels, IPAM: { Driver: 'default', Config: config } };
    const { Id: id } = await this.#engine.json<{ Id?: string }>({ method: 'POST', path: '/networks/create', json });
    return id ?? name;
  }

  async #find(name: string): Promise<EngineNetwork | undefined> {
    return (await this.list()).find((network) => network.name === name);
  }

  async #isPodman(): Promise<boolean> {
    return (await this.#engine.kind()) === 'podman';
  }
}

function isUsable({ Name: name, Driver: driver, Labels: labels }: ListedNetwork, isPodman: boolean): boolean {
  if (!name || driver === 'host' || driver === 'null' || labels?.[networkLabel] === '') return false;
  return isPodman || name !== 'bridge';
}

function networkOf({ Id: id = '', Name: name = '', Labels: labels, IPAM: ipam }: ListedNetwork, isPodman: boolean): EngineNetwork {
  const configs = (ipam?.Config ?? []).flatMap(({ Subnet: cidr, Gateway: gateway }) => (cidr ? [{ cidr, gateway: gateway || null }] : []));
  // Docker tells no gateway where only the subnet was configured; where it chose the subnet itself it tells both.
  const configured = configs.length > 0 && configs.every(({ gateway }) => gateway === null);
  const ours = Boolean(labels?.[networkLabel]);
  return { id, name, labels: labels ?? {}, subnets: configs, takesAddresses: isPodman || ours || configured };
}
