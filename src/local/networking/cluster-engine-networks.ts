import type { KubeClient } from '../../runtime/kubernetes/client/kube-client.ts';
import { kubeFault } from '../../runtime/kubernetes/client/kube-fault.ts';
import { type KubeNetworkDefinition, networkFacts } from '../../runtime/kubernetes/networks/network-definition.ts';
import { NetworkDefinitions } from '../../runtime/kubernetes/networks/network-definitions.ts';
import { clusterNetwork } from '../../runtime/kubernetes/pod/cluster-network.ts';
import { RuntimeFault } from '../../runtime/runtime-fault.ts';
import type { EngineNetwork, EngineNetworks } from './engine-networks.ts';

export interface ClusterEngineNetworksOptions {
  client: KubeClient;
  /** What the operator says that the Pod network is, for users to see; `null` = not told. */
  podNetworkCidr: string | null;
  /** Whose NetworkAttachmentDefinitions are networks; '' = nobody's. */
  networkNamespace: string;
}

/**
 * The networks of a cluster where no Neutron is: the Pod network, and the NetworkAttachmentDefinitions of one namespace, all of them for
 * every project. They are the operator's: none is made or removed here. A definition is known by its own name, which therefore should not
 * be the Pod network's.
 */
export class ClusterEngineNetworks implements EngineNetworks {
  readonly #podNetwork: EngineNetwork;
  readonly #namespace: string;
  readonly #definitions: NetworkDefinitions;

  constructor({ client, podNetworkCidr, networkNamespace }: ClusterEngineNetworksOptions) {
    const subnets = podNetworkCidr === null ? [] : [{ cidr: podNetworkCidr, gateway: null }];
    const refusesAddresses = `The network ${clusterNetwork} gives Pods addresses of its own choice: a fixed one cannot be had.`;
    this.#podNetwork = { id: clusterNetwork, name: clusterNetwork, labels: {}, subnets, takesAddresses: false, refusesAddresses };
    this.#namespace = networkNamespace;
    this.#definitions = new NetworkDefinitions(client);
  }

  async list(): Promise<EngineNetwork[]> {
    if (this.#namespace === '') return [this.#podNetwork];
    const definitions = await this.#definitions.list(this.#namespace).catch((error) => {
      throw kubeFault(error);
    });
    return [this.#podNetwork, ...definitions.map(networkOf)];
  }

  /** Pods that are not Zun's are not looked at: where Zun gives the addresses, the subnet is its own. */
  async addressesInUse(): Promise<string[]> {
    return [];
  }

  create(name: string): Promise<EngineNetwork> {
    const others = this.#namespace === '' ? '' : `, and the NetworkAttachmentDefinitions of namespace ${this.#namespace}`;
    const words = `The cluster's networks are ${clusterNetwork}${others}; a network ${name} cannot be made here.`;
    return Promise.reject(new RuntimeFault('conflict', words));
  }

  remove(): Promise<void> {
    return Promise.reject(new RuntimeFault('conflict', "The cluster's networks are its operator's, and cannot be removed here."));
  }
}

function networkOf(definition: KubeNetworkDefinition): EngineNetwork {
  const { namespace = '', name = '' } = definition.metadata ?? {};
  const { subnets, addresses } = networkFacts(definition);
  const reference = `${namespace}/${name}`;
  const words = `The network ${name} chooses addresses by itself (the plugins of NetworkAttachmentDefinition ${reference} lack the capability ips): a fixed one cannot be had.`;
  return {
    id: reference,
    name,
    attachedAs: reference,
    labels: {},
    subnets,
    takesAddresses: addresses === 'needed',
    ...(addresses === 'given' ? { refusesAddresses: words } : {}),
  };
}
