import { RuntimeFault } from '../../runtime/runtime-fault.ts';
import type { EngineNetwork, EngineNetworks } from './engine-networks.ts';

/** The name of the cluster's own Pod network, as `runtime/kubernetes` knows it. */
export const clusterNetworkName = 'cluster';

/**
 * The networks of a cluster where no Neutron is: the Pod network, for every project. The cluster gives the addresses. `cidr` is what the
 * operator says it is, for users to see; `null` = not told.
 */
export class ClusterEngineNetworks implements EngineNetworks {
  readonly #network: EngineNetwork;

  constructor(cidr: string | null) {
    const subnets = cidr === null ? [] : [{ cidr, gateway: null }];
    this.#network = { id: clusterNetworkName, name: clusterNetworkName, labels: {}, subnets, takesAddresses: false };
  }

  async list(): Promise<EngineNetwork[]> {
    return [this.#network];
  }

  async addressesInUse(): Promise<string[]> {
    return [];
  }

  create(name: string): Promise<EngineNetwork> {
    const words = `The cluster has one network, ${clusterNetworkName}; a network ${name} cannot be made here.`;
    return Promise.reject(new RuntimeFault('conflict', words));
  }

  remove(): Promise<void> {
    return Promise.reject(new RuntimeFault('conflict', "The cluster's own network cannot be removed."));
  }
}
