import type { V1ContainerStatus } from '@kubernetes/client-node';
import type { RuntimeFaultKind } from '../../runtime-fault.ts';
import type { KubePod } from '../kube-object.ts';
import { unheededNetworks } from '../networks/network-status.ts';
import { containerEnd, isStartError } from './container-end.ts';
import { imageRefusal } from './image-refusal.ts';
import { instant } from './instant.ts';
import { podEndWords } from './pod-end-words.ts';
import { hasEnded, isGoing } from './pod-phase.ts';
import { startFailure } from './start-failure.ts';

/**
 * How far a start is. `ended`: it ran, and is over. `failed` and not definite: what Kubernetes keeps trying, with the words so far.
 */
export type StartProgress =
  | { state: 'waiting' }
  | { state: 'running' }
  | { state: 'ended' }
  | { state: 'failed'; kind: RuntimeFaultKind; words: string; definite: boolean };

/**
 * The kubelet may pull without the login when it has not got the Secret within a second (event `FailedToRetrieveImagePullSecret`, seen on a
 * busy node). It tries again after 10 and 30 seconds: a refusal that is still there by then is one of the login. Milliseconds.
 */
const loginPatience = 60_000;

/**
 * How far the start of a Pod is; `now` in epoch milliseconds. A capsule has started when the first of its containers has, init containers
 * before the others: what comes later tells of itself. Pure.
 */
export function startProgress(pod: KubePod, now: number): StartProgress {
  if (isGoing(pod)) return failed('failed', podEndWords(pod) || 'The Pod was removed while it started.', true);
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses];
  const first = statuses.find(({ name }) => name === firstName(pod)) ?? statuses[0];
  const failure = first ? failureOf(pod, first, now) : null;
  if (failure) return failure;
  const withoutNetworks = statuses.some(hasRun) ? unheededNetworks(pod) : null;
  if (withoutNetworks !== null) return failed('unsupported', withoutNetworks, true);
  if (hasEnded(pod)) {
    // A node that refused the Pod, or lost it before it ran anything.
    return statuses.some(hasRun) ? { state: 'ended' } : failed('failed', podEndWords(pod) || 'The Pod ended before it ran.', true);
  }
  if (first && hasRun(first)) {
    return containerStatuses.length > 0 && containerStatuses.every((status) => hasRun(status) && isOver(pod, status))
      ? { state: 'ended' }
      : { state: 'running' };
  }
  return unschedulable(pod) ?? { state: 'waiting' };
}

const firstName = ({ spec }: KubePod): string | undefined => (spec?.initContainers?.[0] ?? spec?.containers[0])?.name;

function failed(kind: RuntimeFaultKind, words: string, definite: boolean): StartProgress {
  return { state: 'failed', kind, words, definite };
}

function failureOf(pod: KubePod, status: V1ContainerStatus, now: number): StartProgress | null {
  if (hasRun(status)) return null;
  const { state = {}, lastState = {} } = status;
  const refusal = state.waiting ? imageRefusal(state.waiting) : null;
  if (refusal !== null) {
    const isForLogin = refusal.kind === 'denied' || refusal.kind === 'not-found';
    return { state: 'failed', ...refusal, definite: refusal.definite && !(isForLogin && mayLackLogin(pod, now)) };
  }
  const words = startFailure(state) ?? startFailure(lastState);
  return words === null ? null : failed('failed', words, isDefinite(state, words));
}

function mayLackLogin({ spec, status }: KubePod, now: number): boolean {
  const taken = instant(status?.startTime);
  return (spec?.imagePullSecrets?.length ?? 0) > 0 && (taken === null || now < taken + loginPatience);
}

/** A configuration may be late (a Secret that comes), and so may a create of which the node is still busy; a process is there or not. */
function isDefinite({ waiting }: NonNullable<V1ContainerStatus['state']>, words: string): boolean {
  if (waiting?.reason === 'CreateContainerConfigError') return false;
  return waiting?.reason !== 'CreateContainerError' || /no command specified|failed to generate/.test(words);
}

function hasRun(status: V1ContainerStatus): boolean {
  const end = containerEnd(status);
  return status.state?.running !== undefined || (end !== undefined && !isStartError(end));
}

function isOver(pod: KubePod, { state }: V1ContainerStatus): boolean {
  if (!state?.terminated) return false;
  const policy = pod.spec?.restartPolicy;
  return policy === 'Never' || (policy === 'OnFailure' && state.terminated.exitCode === 0);
}

function unschedulable(pod: KubePod): StartProgress | null {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False' || scheduled.reason === 'SchedulingGated') return null;
  return failed('failed', scheduled.message?.trim() || scheduled.reason || 'Unschedulable', false);
}
