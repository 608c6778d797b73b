import type { Clock } from '../../../telemetry/clock.ts';
import type { NetworkInterface } from '../../container-runtime.ts';
import { isFault, RuntimeFault } from '../../runtime-fault.ts';
import type { KubePod } from '../kube-object.ts';
import { clusterNetwork } from '../pod/cluster-network.ts';
import type { RunInWorkload } from '../run-in-workload.ts';
import { nothingHasRun } from '../state/pod-phase.ts';
import type { WorkloadPlace } from '../workload-place.ts';
import type { WorkloadPods } from '../workload-pods.ts';
import type { WorkloadRecords } from '../workload-records.ts';
import type { NetworkDefinitions } from './network-definitions.ts';
import { firstSelection, isSameNetwork, type NetworkSelection, networkReference, networkSelection } from './network-selections.ts';
import { networkStatus, nobodyHeeds } from './network-status.ts';
import { attachment, goesOn, reselect, untilNetworks, withoutSelection } from './pod-attachments.ts';
import { withNetwork, withoutNetwork } from './recorded-networks.ts';

export interface NetworkParts {
  records: WorkloadRecords;
  pods: WorkloadPods;
  definitions: NetworkDefinitions;
  settings: { networkDeadlineSeconds: number };
  clock: Clock;
  run: RunInWorkload;
}

/**
 * Puts a workload on one more network: its record, so that the next start has it, and a Pod that runs, by the annotation that whoever
 * attaches networks on the cluster follows; returns when the interface is there. What cannot be had is taken back. May be repeated.
 */
export async function attachNetwork(
  parts: NetworkParts,
  place: WorkloadPlace,
  asked: NetworkInterface,
  signal?: AbortSignal,
): Promise<void> {
  const { records, pods, definitions } = parts;
  const [wanted = asked] = await definitions.resolve([asked], place.namespace, signal);
  const network = networkReference(wanted.engineNetwork, place.namespace);
  const pod = await pods.find(place, signal);
  if (goesOn(pod)) requireAttachable(pod, wanted, network);
  await records.revise(place, (recorded) => withNetwork(recorded, wanted), signal);
  if (wanted.engineNetwork === clusterNetwork) return;
  const told = await reselect(pods, place, (selections, now) => withSelection(selections, now, wanted), signal);
  if (!told) return;
  try {
    const attached = await untilNetworks(parts, place, told, { network, end: 'attached' }, signal);
    if (attached) await requireSeen(parts, place, attached, network, signal);
  } catch (error) {
    if (isFault(error, 'failed', 'unsupported')) await withdraw(parts, place, wanted.engineNetwork, network);
    throw error;
  }
}

/** What a Pod that runs can be known not to get is refused before anything is changed. */
function requireAttachable(pod: KubePod, { engineNetwork }: NetworkInterface, network: NetworkSelection): void {
  if (engineNetwork === clusterNetwork) {
    if (firstSelection(pod) === null) return;
    throw new RuntimeFault(
      'conflict',
      "The cluster's own network can be the first of a container alone: stop the container, attach it, start it.",
    );
  }
  if (attachment(pod, network) || nothingHasRun(pod) || networkStatus(pod)) return;
  throw new RuntimeFault('unsupported', `Network ${engineNetwork} cannot be attached: ${nobodyHeeds(pod)}`);
}

/** With the first interface that is free, as Docker names them; `null` = the Pod is on the network, or asks for it already. */
function withSelection(selections: NetworkSelection[], pod: KubePod, wanted: NetworkInterface): NetworkSelection[] | null {
  const namespace = pod.metadata?.namespace ?? '';
  const network = networkReference(wanted.engineNetwork, namespace);
  if (selections.some((selection) => isSameNetwork(selection, network)) || isFirst(pod, network)) return null;
  const taken = new Set([...selections, ...(networkStatus(pod) ?? [])].map((each) => each.interface));
  let index = 1;
  while (taken.has(`eth${index}`)) index += 1;
  return [...selections, networkSelection(wanted, namespace, `eth${index}`)];
}

function isFirst(pod: KubePod, network: NetworkSelection): boolean {
  const first = firstSelection(pod);
  return first !== null && isSameNetwork(first, network);
}

/**
 * Kata, and gVisor with a network stack of its own, take the interfaces that are there when they start, and see none that come later: the
 * process would be without what everybody says that it has. Where there is no `cat`, or nothing can be run just now, what was said is believed.
 */
async function requireSeen(
  { run }: NetworkParts,
  place: WorkloadPlace,
  pod: KubePod,
  network: NetworkSelection,
  signal?: AbortSignal,
): Promise<void> {
  const name = attachment(pod, network)?.interface;
  const listed = await run(place, ['cat', '/proc/net/dev'], { deadlineMs: 5_000, signal }).catch((error) => {
    if (isFault(error, 'conflict', 'not-found', 'timeout')) return null;
    throw error;
  });
  if (name === undefined || listed?.exitCode !== 0 || listed.stdout.toString('utf8').includes(`${name}:`)) return;
  const runtimeClass = pod.spec?.runtimeClassName ?? 'of the cluster';
  throw new RuntimeFault(
    'unsupported',
    `What runs under the RuntimeClass ${runtimeClass} takes no network while it runs: stop the container, attach the network, start it.`,
  );
}

/** Whoever attaches it after all takes it off again, since nobody asks for it. */
async function withdraw({ records, pods }: NetworkParts, place: WorkloadPlace, engineNetwork: string, network: NetworkSelection) {
  await reselect(pods, place, (selections) => withoutSelection(selections, network));
  await records.revise(place, (recorded) => withoutNetwork(recorded, engineNetwork));
}
