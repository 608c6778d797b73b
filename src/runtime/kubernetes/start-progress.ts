import type { V1ContainerStatus } from '@kubernetes/client-node';
import type { RuntimeFaultKind } from '../runtime-fault.ts';
import { imageRefusal } from './image-refusal.ts';
import type { KubePod } from './kube-object.ts';
import { podEndWords } from './pod-end-words.ts';
import { hasEnded, isGoing } from './pod-phase.ts';
import { isStartError, startFailure } from './start-failure.ts';

/**
 * How far a start is. `ended`: it ran, and is over. `failed` and not definite: what Kubernetes keeps trying, with the words so far.
 */
export type StartProgress =
  | { state: 'waiting' }
  | { state: 'running' }
  | { state: 'ended' }
  | { state: 'failed'; kind: RuntimeFaultKind; words: string; definite: boolean };

/**
 * How far the start of a Pod is. A capsule runs as soon as one of its init containers does, which may take as long as it likes, or else when
 * each of its containers has started. Pure.
 */
export function startProgress(pod: KubePod): StartProgress {
  if (isGoing(pod)) return failed('failed', podEndWords(pod) || 'The Pod was removed while it started.', true);
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses];
  const failure = statuses.map(failureOf).find((one) => one !== null);
  if (failure) return failure;
  if (hasEnded(pod)) {
    // A node that refused the Pod, or lost it before it ran anything.
    return statuses.some(hasRun) ? { state: 'ended' } : failed('failed', podEndWords(pod) || 'The Pod ended before it ran.', true);
  }
  if (initContainerStatuses.some(({ state }) => state?.running)) return { state: 'running' };
  if (containerStatuses.length > 0 && containerStatuses.every(hasRun)) {
    return containerStatuses.every((status) => isOver(pod, status)) ? { state: 'ended' } : { state: 'running' };
  }
  return unschedulable(pod) ?? { state: 'waiting' };
}

function failed(kind: RuntimeFaultKind, words: string, definite: boolean): StartProgress {
  return { state: 'failed', kind, words, definite };
}

function failureOf({ state = {}, lastState = {} }: V1ContainerStatus): StartProgress | null {
  const refusal = state.waiting ? imageRefusal(state.waiting) : null;
  if (refusal !== null) return { state: 'failed', ...refusal };
  const words = startFailure(state) ?? startFailure(lastState);
  if (words === null || (lastState.terminated && !isStartError(lastState.terminated))) return null;
  return failed('failed', words, isDefinite(state, words));
}

/** A configuration may be late (a Secret that comes), and so may a create of which the node is still busy; a process is there or not. */
function isDefinite({ waiting }: NonNullable<V1ContainerStatus['state']>, words: string): boolean {
  if (waiting?.reason === 'CreateContainerConfigError') return false;
  return waiting?.reason !== 'CreateContainerError' || /no command specified|failed to generate/.test(words);
}

function hasRun({ state, lastState }: V1ContainerStatus): boolean {
  return [state, lastState].some((one) => one?.running || (one?.terminated && !isStartError(one.terminated)));
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
