import type { NetworkInterface } from '../../container-runtime.ts';
import { isFault, RuntimeFault } from '../../runtime-fault.ts';
import type { KubePod } from '../kube-object.ts';
import { clusterNetwork } from '../pod/cluster-network.ts';
import type { WorkloadPlace } from '../workload-place.ts';
import type { NetworkParts } from './attach-network.ts';
import { firstSelection, isSameNetwork, type NetworkSelection, networkReference, podSelections } from './network-selections.ts';
import { goesOn, reselect, untilNetworks, withoutSelection } from './pod-attachments.ts';
import { recordedNetworks, withNetwork, withoutNetwork } from './recorded-networks.ts';

/**
 * Takes a workload off a network, as `attachNetwork` puts it on one. Fault `conflict` for the network that is eth0 of a Pod that runs, which
 * no Pod can lose, and for the last one. May be repeated; a workload that is not on the network is as it should be.
 */
export async function detachNetwork(parts: NetworkParts, place: WorkloadPlace, engineNetwork: string, signal?: AbortSignal): Promise<void> {
  const { records, pods } = parts;
  const network = networkReference(engineNetwork, place.namespace);
  const networks = recordedNetworks(records.specOf(await records.get(place, signal)));
  const at = networks.findIndex((each) => each.engineNetwork === engineNetwork);
  const pod = await pods.find(place, signal);
  if (at >= 0) requireDetachable(goesOn(pod) ? pod : null, networks, engineNetwork, network);
  await records.revise(place, (recorded) => withoutNetwork(recorded, engineNetwork), signal);
  const asked = goesOn(pod) ? podSelections(pod).find((selection) => isSameNetwork(selection, network)) : undefined;
  const told = await reselect(pods, place, (selections) => withoutSelection(selections, network), signal);
  if (!told || isFirst(told, engineNetwork, network)) return;
  try {
    await untilNetworks(parts, place, told, { network, end: 'detached' }, signal);
  } catch (error) {
    if (isFault(error, 'failed')) await putBack(parts, place, { interface_: networks[at], at, asked });
    throw error;
  }
}

function requireDetachable(pod: KubePod | null, networks: NetworkInterface[], engineNetwork: string, network: NetworkSelection): void {
  if (pod && isFirst(pod, engineNetwork, network))
    throw new RuntimeFault(
      'conflict',
      `Network ${engineNetwork} is the first of a container that runs, which it cannot lose: stop it first.`,
    );
  if (networks.length === 1)
    throw new RuntimeFault(
      'conflict',
      `Network ${engineNetwork} is the only one of the container, and a Pod has one at least: attach another first.`,
    );
}

function isFirst(pod: KubePod, engineNetwork: string, network: NetworkSelection): boolean {
  const first = firstSelection(pod);
  return first === null ? engineNetwork === clusterNetwork : isSameNetwork(first, network);
}

/** Another attempt finds the record without the network, and leaves it to whoever undoes the whole to put it there again. */
async function putBack(
  { records, pods }: NetworkParts,
  place: WorkloadPlace,
  { interface_, at, asked }: { interface_: NetworkInterface | undefined; at: number; asked: NetworkSelection | undefined },
): Promise<void> {
  const isAsked = (selections: NetworkSelection[]) => !asked || selections.some((each) => isSameNetwork(each, asked));
  await reselect(pods, place, (selections) => (asked && !isAsked(selections) ? [...selections, asked] : null));
  if (interface_) await records.revise(place, (recorded) => withNetwork(recorded, interface_, at));
}
