import type { NetworkInterface } from '../../container-runtime.ts';
import { clusterNetwork } from './cluster-network.ts';

/** Multus: the network in place of the cluster's own, and those beside it. */
export const networkAnnotations = {
  first: 'v1.multus-cni.io/default-network',
  further: 'k8s.v1.cni.cncf.io/networks',
  status: 'k8s.v1.cni.cncf.io/network-status',
} as const;

/**
 * The annotations that put a Pod on networks: nothing for the cluster's own, where addresses come from the cluster; Multus' selections
 * for others, whose names are NetworkAttachmentDefinitions (`<name>` in the Pod's namespace or `<namespace>/<name>`). The first network is
 * eth0: if it is not the cluster's, the Pod is not on the cluster's at all. Pure.
 */
export function podNetworks(networks: NetworkInterface[], namespace: string): Record<string, string> {
  const [first, ...rest] = networks;
  const further = rest.filter(({ engineNetwork }) => engineNetwork !== clusterNetwork).map((one) => selection(one, namespace));
  return {
    ...(first === undefined || first.engineNetwork === clusterNetwork
      ? {}
      : { [networkAnnotations.first]: JSON.stringify([selection(first, namespace)]) }),
    ...(further.length === 0 ? {} : { [networkAnnotations.further]: JSON.stringify(further) }),
  };
}

function selection({ engineNetwork, ipv4, ipv6, mac }: NetworkInterface, ownNamespace: string): Record<string, unknown> {
  const [name = '', namespace = ownNamespace] = engineNetwork.split('/').reverse();
  const ips = [ipv4, ipv6].filter((address) => address !== null);
  return { name, namespace, ...(ips.length === 0 ? {} : { ips }), ...(mac === null ? {} : { mac }) };
}
