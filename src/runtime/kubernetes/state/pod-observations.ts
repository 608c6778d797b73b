import type { V1Container } from '@kubernetes/client-node';
import type { WorkloadObservation } from '../../container-runtime.ts';
import { annotations, type KubePod, labels, mainContainer } from '../kube-object.ts';
import { withoutEscapes } from '../pod/escaped-references.ts';
import { capsuleState } from './capsule-state.ts';
import { containerState } from './container-state.ts';
import { nextChange } from './next-change.ts';
import { podAddresses } from './pod-addresses.ts';

/**
 * What a Pod says of its workloads: of a container's Pod that container; of a capsule's the capsule under its own UUID, then its
 * containers, init containers first. Nothing for Pods of another kind. `now` (epoch milliseconds) decides how long health counts as
 * starting, and a node as late. Pure.
 */
export function podObservations(pod: KubePod, now: number): WorkloadObservation[] {
  const { [labels.workload]: uuid, [labels.kind]: kind } = pod.metadata?.labels ?? {};
  if (uuid === undefined) return [];
  if (kind === 'container') return [{ ...observed(pod, uuid, mainContainer, now), addresses: podAddresses(pod) }];
  return kind === 'capsule' ? observedCapsule(pod, uuid, now) : [];
}

function observedCapsule(pod: KubePod, uuid: string, now: number): WorkloadObservation[] {
  const uuids = JSON.parse(pod.metadata?.annotations?.[annotations.members] ?? '{}') as Record<string, string>;
  const members = containersOf(pod).flatMap(({ name }) => {
    const member = uuids[name];
    return member === undefined ? [] : [observed(pod, member, name, now)];
  });
  const states = members.map(({ state }) => state);
  const whole: WorkloadObservation = {
    uuid,
    engineId: pod.metadata?.uid ?? '',
    state: capsuleState(pod, states, now),
    hostname: hostnameOf(pod),
    ports: [...new Set(members.flatMap(({ ports }) => ports))],
    addresses: podAddresses(pod),
    image: '',
    runtime: runtimeOf(pod),
    ...changing(pod, null, now),
  };
  return [whole, ...members];
}

/** A container; in a capsule it has no addresses of its own. */
function observed(pod: KubePod, uuid: string, name: string, now: number): WorkloadObservation {
  const container = containersOf(pod).find((one) => one.name === name);
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const status = [...containerStatuses, ...initContainerStatuses].find((one) => one.name === name);
  return {
    uuid,
    engineId: status?.containerID?.replace(/^[^:]+:\/\//, '') || (pod.metadata?.uid ?? ''),
    state: containerState(pod, name, now),
    hostname: hostnameOf(pod),
    ...processOf(container),
    ports: [...new Set(container?.ports?.map(({ containerPort }) => containerPort) ?? [])],
    addresses: {},
    image: container?.image ?? '',
    runtime: runtimeOf(pod),
    restartCount: status?.restartCount ?? 0,
    ...changing(pod, name, now),
  };
}

function changing(pod: KubePod, name: string | null, now: number): Pick<WorkloadObservation, 'changesAt'> {
  const changesAt = nextChange(pod, name, now);
  return changesAt === null ? {} : { changesAt };
}

/** What is the image's own the Pod does not tell. An entrypoint of one's own drops the image's command. */
function processOf(container: V1Container | undefined): Pick<WorkloadObservation, 'command' | 'entrypoint'> {
  const { command: entrypoint, args } = container ?? {};
  const command = args ?? (entrypoint === undefined ? undefined : []);
  return {
    ...(command === undefined ? {} : { command: command.map(withoutEscapes) }),
    ...(entrypoint === undefined ? {} : { entrypoint: entrypoint.map(withoutEscapes) }),
  };
}

function containersOf(pod: KubePod): V1Container[] {
  return [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])];
}

function hostnameOf(pod: KubePod): string | null {
  return pod.spec?.hostname ?? pod.metadata?.name ?? null;
}

function runtimeOf(pod: KubePod): string | null {
  return pod.metadata?.annotations?.[annotations.runtime] ?? pod.spec?.runtimeClassName ?? null;
}
