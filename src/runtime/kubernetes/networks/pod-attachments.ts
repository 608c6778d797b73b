import type { Clock } from '../../../telemetry/clock.ts';
import { withDeadline } from '../../../telemetry/with-deadline.ts';
import { isFault, RuntimeFault } from '../../runtime-fault.ts';
import { KubeError } from '../client/kube-error.ts';
import type { KubePod } from '../kube-object.ts';
import { hasEnded, isGoing } from '../state/pod-phase.ts';
import type { WorkloadPlace } from '../workload-place.ts';
import type { WorkloadPods } from '../workload-pods.ts';
import { networkAnnotations } from './network-annotations.ts';
import { isSameNetwork, type NetworkSelection, podSelections } from './network-selections.ts';
import { type NetworkStatus, networkStatus } from './network-status.ts';

type Network = Pick<NetworkSelection, 'name' | 'namespace'>;

/** Whether the Pod's processes are there, or will be: its networks can change. Pure. */
export const goesOn = (pod: KubePod | null): pod is KubePod => pod !== null && !hasEnded(pod) && !isGoing(pod);

/** What the Pod's network-status says of the network; `null` = it is not on it. Pure. */
export function attachment(pod: KubePod, { namespace, name }: Network): NetworkStatus | null {
  return networkStatus(pod)?.find((status) => status.name === `${namespace}/${name}`) ?? null;
}

/**
 * Changes what a Pod that goes on asks for, as of its version, so that nobody else's change is lost; `null` of `change` = it asks for that
 * already. Answers the Pod as it then is, `null` where none goes on.
 */
export async function reselect(
  pods: WorkloadPods,
  place: WorkloadPlace,
  change: (selections: NetworkSelection[], pod: KubePod) => NetworkSelection[] | null,
  signal?: AbortSignal,
): Promise<KubePod | null> {
  for (;;) {
    const pod = await pods.find(place, signal);
    if (!goesOn(pod)) return null;
    const changed = change(podSelections(pod), pod);
    if (!changed) return pod;
    const annotations = { [networkAnnotations.further]: JSON.stringify(changed) };
    try {
      return await pods.patch(place, { metadata: { resourceVersion: pod.metadata?.resourceVersion, annotations } }, signal);
    } catch (error) {
      const isOvertaken = (error instanceof KubeError && error.status === 409) || isFault(error, 'not-found');
      if (!isOvertaken) throw error;
    }
  }
}

/** What a Pod asks for without the network; `null` = it does not ask for it. Pure. */
export function withoutSelection(selections: NetworkSelection[], network: Network): NetworkSelection[] | null {
  const rest = selections.filter((selection) => !isSameNetwork(selection, network));
  return rest.length === selections.length ? null : rest;
}

/** As often as nobody on the cluster does what the annotation says, in the words of who tried and failed, else in ours. */
const unheeded = {
  attached: 'nothing on the cluster attaches networks to running Pods, as the dynamic networks controller of Multus does.',
  detached: 'nothing on the cluster detaches networks from running Pods, as the dynamic networks controller of Multus does.',
} as const;

/**
 * Waits until the Pod, as it was just `told` of, is on the network, or is no more; a Pod that ended is answered as `null`. Fault `failed`
 * when that takes longer than an interface may take.
 */
export async function untilNetworks(
  parts: { pods: WorkloadPods; clock: Clock; settings: { networkDeadlineSeconds: number } },
  place: WorkloadPlace,
  told: KubePod,
  { network, end }: { network: Network; end: keyof typeof unheeded },
  signal?: AbortSignal,
): Promise<KubePod | null> {
  const { pods, clock, settings } = parts;
  const judge = (pod: KubePod | null): { pod: KubePod | null } | null => {
    if (!goesOn(pod)) return { pod: null };
    return (attachment(pod, network) !== null) === (end === 'attached') ? { pod } : null;
  };
  return withDeadline(clock, settings.networkDeadlineSeconds * 1000, async (deadline) => {
    try {
      return (await pods.until(place, judge, signal ? AbortSignal.any([signal, deadline]) : deadline, told)).pod;
    } catch (error) {
      if (signal?.aborted || !deadline.aborted) throw error;
      const { namespace, name } = network;
      const late = `Network ${namespace}/${name} was not ${end} within ${settings.networkDeadlineSeconds} seconds`;
      throw new RuntimeFault('failed', `${late}: ${(await pods.obstacle(place, 'network', signal)) ?? unheeded[end]}`);
    }
  });
}
