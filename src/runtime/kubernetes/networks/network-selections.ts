import type { NetworkInterface } from '../../container-runtime.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import type { KubePod } from '../kube-object.ts';
import { networkAnnotations } from './network-annotations.ts';

/**
 * One network that a Pod asks for, as the annotation has it. The interface is always named: by network and interface Multus' dynamic
 * networks controller tells what is attached from what is not, and names by position would change when one goes.
 */
export interface NetworkSelection {
  name: string;
  namespace: string;
  interface?: string;
  /** With the length of the prefix, where the network's subnet is known. */
  ips?: string[];
  mac?: string;
}

/** Name and namespace of a NetworkAttachmentDefinition: `<namespace>/<name>`, or `<name>` in the workload's own namespace. Pure. */
export function networkReference(engineNetwork: string, ownNamespace: string): Pick<NetworkSelection, 'name' | 'namespace'> {
  const [name = '', namespace = ownNamespace] = engineNetwork.split('/').reverse();
  return { name, namespace };
}

/** Pure. */
export function networkSelection(wanted: NetworkInterface, ownNamespace: string, interfaceName?: string): NetworkSelection {
  const { engineNetwork, ipv4, ipv6, mac } = wanted;
  const ips = [ipv4, ipv6].filter((address) => address !== null);
  return {
    ...networkReference(engineNetwork, ownNamespace),
    ...(interfaceName === undefined ? {} : { interface: interfaceName }),
    ...(ips.length === 0 ? {} : { ips }),
    ...(mac === null ? {} : { mac }),
  };
}

/** The networks that a Pod asks for beside its first. Fault `conflict` for an annotation that was not written here. Pure. */
export function podSelections(pod: KubePod): NetworkSelection[] {
  const text = pod.metadata?.annotations?.[networkAnnotations.further];
  if (text === undefined) return [];
  const selections = parsed(text);
  if (selections) return selections;
  const { namespace, name } = pod.metadata ?? {};
  throw new RuntimeFault('conflict', `Annotation ${networkAnnotations.further} of Pod ${namespace}/${name} is no list in JSON: '${text}'.`);
}

/** Whether the Pod's first network is one in place of the cluster's own: its selection; `null` = the cluster's own. Pure. */
export function firstSelection(pod: KubePod): NetworkSelection | null {
  return parsed(pod.metadata?.annotations?.[networkAnnotations.first] ?? '[]')?.[0] ?? null;
}

/** The networks that a Pod asks for in place of the cluster's own and beside it, as `<namespace>/<name>`. Pure. */
export function askedNetworks({ metadata }: KubePod): string[] {
  const { annotations = {}, namespace: own = '' } = metadata ?? {};
  const selections = [networkAnnotations.first, networkAnnotations.further].flatMap((key) => parsed(annotations[key] ?? '[]') ?? []);
  return selections.map(({ namespace = own, name }) => `${namespace}/${name}`);
}

/** Pure. */
export const isSameNetwork = (one: Pick<NetworkSelection, 'name' | 'namespace'>, other: Pick<NetworkSelection, 'name' | 'namespace'>) =>
  one.name === other.name && one.namespace === other.namespace;

function parsed(text: string): NetworkSelection[] | null {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
}
