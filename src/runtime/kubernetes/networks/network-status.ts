import type { KubePod } from '../kube-object.ts';
import { networkAnnotations } from './network-annotations.ts';
import { askedNetworks } from './network-selections.ts';

/** What a Pod's network-status says of one of its interfaces. */
export interface NetworkStatus {
  /** `<namespace>/<name>` of a NetworkAttachmentDefinition; of the cluster's own network what its CNI configuration calls it. */
  name: string;
  interface?: string;
  ips?: string[];
  mac?: string;
  default?: boolean;
}

/** The interfaces that a Pod was given; `null` where nobody says: without Multus, or before it was the Pod's turn. Pure. */
export function networkStatus(pod: KubePod): NetworkStatus[] | null {
  const text = pod.metadata?.annotations?.[networkAnnotations.status];
  if (text === undefined) return null;
  try {
    const statuses: unknown = JSON.parse(text);
    return Array.isArray(statuses) ? statuses : null;
  } catch {
    // Others write it, too.
    return null;
  }
}

/**
 * Why a Pod that has run is not on the networks that it was made for: nobody on its node heeds them, and it must not pass for one that
 * is. Multus writes the status before the first container runs. `null` = it is, or was made for none. Pure.
 */
export function unheededNetworks(pod: KubePod): string | null {
  const { annotations = {}, namespace, name } = pod.metadata ?? {};
  const asked = askedNetworks(pod);
  if (asked.length === 0 || annotations[networkAnnotations.status] !== undefined) return null;
  return `Pod ${namespace}/${name} was not put on the network ${asked.join(', ')}: ${nobodyHeeds(pod)}`;
}

/** Why there is no status, for an operator. Pure. */
export const nobodyHeeds = ({ spec }: KubePod): string =>
  `Multus is not at work on node ${spec?.nodeName ?? '(none)'}, or was not when the Pod was made (no annotation ${networkAnnotations.status}).`;
