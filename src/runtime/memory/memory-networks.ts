import type { NetworkInterface, WorkloadObservation } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';

type Address = WorkloadObservation['addresses'][string];

interface EngineNetwork {
  /** `172.30.1`: the first three numbers of its addresses. */
  prefix: string;
  attached: Map<string, Address>;
}

/** The engine networks of the memory runtime: /24 each, `bridge` from the beginning. */
export class MemoryNetworks {
  readonly #networks = new Map<string, EngineNetwork>();

  constructor() {
    this.add('bridge', '172.17.0');
  }

  /** Adding what exists succeeds. */
  add(name: string, prefix = `172.30.${this.#networks.size}`): void {
    if (!this.#networks.has(name)) this.#networks.set(name, { prefix, attached: new Map() });
  }

  /** Removing what is gone succeeds; `conflict` while a workload is on it. */
  remove(name: string): void {
    const network = this.#networks.get(name);
    if (network && network.attached.size > 0)
      throw new RuntimeFault('conflict', `error while removing network: network ${name} has active endpoints`);
    this.#networks.delete(name);
  }

  require(name: string): EngineNetwork {
    const network = this.#networks.get(name);
    if (!network) throw new RuntimeFault('not-found', `network ${name} not found`);
    return network;
  }

  attach(uuid: string, wish: NetworkInterface): void {
    const network = this.require(wish.engineNetwork);
    if (network.attached.has(uuid)) return;
    const taken = new Set([...network.attached.values()].map((address) => address.ipv4));
    if (wish.ipv4 !== null && taken.has(wish.ipv4)) throw new RuntimeFault('conflict', 'Address already in use');
    let last = 2;
    while (taken.has(`${network.prefix}.${last}`)) last++;
    const ipv4 = wish.ipv4 ?? `${network.prefix}.${last}`;
    network.attached.set(uuid, { ipv4, ipv6: wish.ipv6, mac: wish.mac ?? macOf(ipv4) });
  }

  detach(uuid: string, name: string): void {
    this.require(name).attached.delete(uuid);
  }

  detachAll(uuid: string): void {
    for (const network of this.#networks.values()) network.attached.delete(uuid);
  }

  addressesOf(uuid: string): WorkloadObservation['addresses'] {
    const addresses: WorkloadObservation['addresses'] = {};
    for (const [name, network] of this.#networks) {
      const address = network.attached.get(uuid);
      if (address) addresses[name] = { ...address };
    }
    return addresses;
  }
}

/** Docker's rule: 02:42 and the address. */
function macOf(ipv4: string): string {
  return ['02', '42', ...ipv4.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');
}
