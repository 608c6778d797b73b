import type { WorkloadObservation } from '../../container-runtime.ts';
import type { KubePod } from '../kube-object.ts';
import { clusterNetwork } from '../pod/cluster-network.ts';
import { networkAnnotations } from '../pod/pod-networks.ts';
import { hasEnded } from './pod-phase.ts';

type Addresses = WorkloadObservation['addresses'];

/** What Multus says of a Pod's interfaces. */
interface NetworkStatus {
  name: string;
  ips?: string[];
  mac?: string;
  default?: boolean;
}

/**
 * Addresses by network, as far as there are any; none of a Pod that has ended, whose addresses are others' by now. Multus tells them
 * where it is, and the Pod itself has those of the cluster's network. Pure.
 */
export function podAddresses(pod: KubePod): Addresses {
  if (hasEnded(pod)) return {};
  const interfaces = multusStatus(pod);
  if (interfaces.length === 0) {
    const ips = (pod.status?.podIPs ?? []).flatMap(({ ip }) => ip ?? []);
    return ips.length === 0 ? {} : { [clusterNetwork]: addresses(ips, undefined) };
  }
  return Object.fromEntries(interfaces.map((one) => [networkName(pod, one), addresses(one.ips ?? [], one.mac)]));
}

function multusStatus(pod: KubePod): NetworkStatus[] {
  const text = pod.metadata?.annotations?.[networkAnnotations.status];
  if (text === undefined) return [];
  try {
    const statuses: unknown = JSON.parse(text);
    return Array.isArray(statuses) ? statuses : [];
  } catch {
    // Others write it, too; the addresses of the Pod are left.
    return [];
  }
}

/** The cluster's own network has a name of its CNI plugin's. */
function networkName(pod: KubePod, { name, default: isDefault }: NetworkStatus): string {
  if (isDefault && pod.metadata?.annotations?.[networkAnnotations.first] === undefined) return clusterNetwork;
  const own = `${pod.metadata?.namespace}/`;
  return name.startsWith(own) ? name.slice(own.length) : name;
}

function addresses(ips: string[], mac: string | undefined): Addresses[string] {
  return {
    ipv4: ips.find((ip) => !ip.includes(':')) ?? null,
    ipv6: ips.find((ip) => ip.includes(':')) ?? null,
    mac: mac || null,
  };
}
