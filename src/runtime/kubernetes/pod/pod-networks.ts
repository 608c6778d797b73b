import type { NetworkInterface } from '../../container-runtime.ts';
import { networkAnnotations } from '../networks/network-annotations.ts';
import { networkSelection } from '../networks/network-selections.ts';
import { clusterNetwork } from './cluster-network.ts';

/**
 * The annotations that put a Pod on networks: nothing for the cluster's own, where addresses come from the cluster; Multus' selections
 * for others, whose names are NetworkAttachmentDefinitions (`<name>` in the Pod's namespace or `<namespace>/<name>`). The cluster's own
 * network can be eth0 alone, and so it is, wherever it stands; without it the first is, and the Pod is not on the cluster's at all. The
 * others are eth1, eth2 and so on, as under Docker. Pure.
 */
export function podNetworks(networks: NetworkInterface[], namespace: string): Record<string, string> {
  const others = networks.filter(({ engineNetwork }) => engineNetwork !== clusterNetwork);
  const [first, ...rest] = others.length < networks.length ? [null, ...others] : others;
  const further = rest.flatMap((one, index) => (one ? [networkSelection(one, namespace, `eth${index + 1}`)] : []));
  return {
    ...(first ? { [networkAnnotations.first]: JSON.stringify([networkSelection(first, namespace)]) } : {}),
    ...(further.length === 0 ? {} : { [networkAnnotations.further]: JSON.stringify(further) }),
  };
}
