import type { NetworkInterface } from '../../container-runtime.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import type { KubeClient } from '../client/kube-client.ts';
import { KubeError } from '../client/kube-error.ts';
import { kubePaths } from '../client/kube-paths.ts';
import { listObjects } from '../client/list-objects.ts';
import { clusterNetwork } from '../pod/cluster-network.ts';
import { interfaceOn, type KubeNetworkDefinition, networkFacts } from './network-definition.ts';
import { networkReference } from './network-selections.ts';

/** The NetworkAttachmentDefinitions of a cluster. Errors are `KubeError`s and `RuntimeFault`s. */
export class NetworkDefinitions {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Those of a namespace; none where the cluster does not know the kind, since nobody has installed Multus. */
  async list(namespace: string, signal?: AbortSignal): Promise<KubeNetworkDefinition[]> {
    try {
      return (await listObjects<KubeNetworkDefinition>(this.#client, kubePaths.networkDefinitions(namespace), {}, signal)).items;
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return [];
      throw error;
    }
  }

  /**
   * The interfaces of a workload as their networks take them; the cluster's own network is not asked about. `ownNamespace`: that of names
   * without one. Fault `not-found` for a network that does not exist.
   */
  resolve(interfaces: NetworkInterface[], ownNamespace: string, signal?: AbortSignal): Promise<NetworkInterface[]> {
    return Promise.all(
      interfaces.map(async (wanted) => {
        if (wanted.engineNetwork === clusterNetwork) return wanted;
        return interfaceOn(networkFacts(await this.#get(wanted.engineNetwork, ownNamespace, signal)), wanted);
      }),
    );
  }

  async #get(engineNetwork: string, ownNamespace: string, signal?: AbortSignal): Promise<KubeNetworkDefinition> {
    const { namespace, name } = networkReference(engineNetwork, ownNamespace);
    try {
      return await this.#client.request({ method: 'GET', path: kubePaths.networkDefinition(namespace, name), signal });
    } catch (error) {
      if (!(error instanceof KubeError && error.status === 404)) throw error;
      throw new RuntimeFault('not-found', `network ${namespace}/${name} not found: there is no such NetworkAttachmentDefinition`, {
        cause: error,
      });
    }
  }
}
