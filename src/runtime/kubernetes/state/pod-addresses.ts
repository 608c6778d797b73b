import type { WorkloadObservation } from '../../container-runtime.ts';
import type { KubePod } from '../kube-object.ts';
import { firstSelection } from '../networks/network-selections.ts';
import { type NetworkStatus, networkStatus } from '../networks/network-status.ts';
import { clusterNetwork } from '../pod/cluster-network.ts';
import { hasEnded } from './pod-phase.ts';

type Addresses = WorkloadObservation['addresses'];

/**
 * Addresses by network, as far as there are any; none of a Pod that has ended, whose addresses are others' by now. Multus tells them
 * where it is, and the Pod itself has those of the cluster's network. Pure.
 */
export function podAddresses(pod: KubePod): Addresses {
  if (hasEnded(pod)) return {};
  const interfaces = networkStatus(pod) ?? [];
  if (interfaces.length === 0) {
    const ips = (pod.status?.podIPs ?? []).flatMap(({ ip }) => ip ?? []);
    return ips.length === 0 ? {} : { [clusterNetwork]: addresses(ips, undefined) };
  }
  return Object.fromEntries(interfaces.map((one) => [networkName(pod, one), addresses(one.ips ?? [], one.mac)]));
}

/** The cluster's own network has a name of its CNI plugin's. */
function networkName(pod: KubePod, { name, default: isDefault }: NetworkStatus): string {
  return isDefault && firstSelection(pod) === null ? clusterNetwork : name;
}

function addresses(ips: string[], mac: string | undefined): Addresses[string] {
  return {
    ipv4: ips.find((ip) => !ip.includes(':')) ?? null,
    ipv6: ips.find((ip) => ip.includes(':')) ?? null,
    mac: mac || null,
  };
}
