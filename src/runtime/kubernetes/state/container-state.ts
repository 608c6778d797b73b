import type { V1ContainerStateTerminated, V1ContainerStatus } from '@kubernetes/client-node';
import type { WorkloadState } from '../../container-runtime.ts';
import { createdState } from '../../created-state.ts';
import { annotations, type KubePod } from '../kube-object.ts';
import { containerEnd, isStartError } from './container-end.ts';
import { overdueWords } from './held-pod-words.ts';
import { imageRefusal } from './image-refusal.ts';
import { instant } from './instant.ts';
import { lostNodeWords } from './lost-node-words.ts';
import { podEndWords } from './pod-end-words.ts';
import { podHealth } from './pod-health.ts';
import { hasEnded, isGoing } from './pod-phase.ts';
import { startFailure } from './start-failure.ts';
import { hasUsedUpRetries } from './used-up-retries.ts';

/**
 * The state of one container of a Pod, init containers too; `now` in epoch milliseconds. Pure.
 *
 * A container that could not be started is created, with the words. One that the kubelet is about to run again is restarting; where it
 * could not be, with the words. One that still runs in a Pod that goes is running.
 */
export function containerState(pod: KubePod, name: string, now: number): WorkloadState {
  const status = statusOf(pod, name);
  const lost = lostNodeWords(pod, now);
  if (lost !== null && !status?.state?.terminated) {
    return { ...createdState, status: 'unknown', error: lost, startedAt: instant(status?.state?.running?.startedAt) };
  }
  if (status === undefined) return { ...createdState, error: hasEnded(pod) ? podEndWords(pod) : '' };
  const { running } = status.state ?? {};
  if (running && !hasEnded(pod)) {
    const container = pod.spec?.containers.find((one) => one.name === name);
    return {
      ...createdState,
      status: pod.metadata?.annotations?.[annotations.paused] === 'true' ? 'paused' : 'running',
      startedAt: instant(running.startedAt),
      health: podHealth(container, status, now),
    };
  }
  const failure = failureOf(status);
  if (failure !== null) return { ...createdState, error: failure };
  const end = containerEnd(status);
  if (end !== undefined) return ended(pod, status, end, now);
  // The Pod has ended, and its kubelet did not live to tell of the container.
  if (running) return { ...atRest(pod, now), exitCode: killed, startedAt: instant(running.startedAt) };
  return { ...createdState, error: hasEnded(pod) ? podEndWords(pod) : '' };
}

/** The code of a process that SIGKILL ended, for want of a better one. */
const killed = 137;

function statusOf(pod: KubePod, name: string): V1ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  return [...containerStatuses, ...initContainerStatuses].find((status) => status.name === name);
}

/** Why it has not run; of one that has run, its last end says more. */
function failureOf(status: V1ContainerStatus): string | null {
  const last = containerEnd(status);
  if (last !== undefined) return isStartError(last) && status.restartCount === 0 ? startFailure({ terminated: last }) : null;
  const { waiting } = status.state ?? {};
  return waiting === undefined ? null : (startFailure({ waiting }) ?? imageRefusal(waiting)?.words ?? null);
}

/** Why what has run before does not run now. */
function troubleOf({ state = {}, lastState = {} }: V1ContainerStatus, end: V1ContainerStateTerminated): string {
  if (end.reason === 'ContainerStatusUnknown') return end.message ?? '';
  return startFailure(state) ?? startFailure(lastState) ?? (state.waiting && imageRefusal(state.waiting)?.words) ?? '';
}

function ended(pod: KubePod, status: V1ContainerStatus, end: V1ContainerStateTerminated, now: number): WorkloadState {
  const rest = atRest(pod, now);
  return {
    ...rest,
    status: runsAgain(pod, status, end) ? 'restarting' : rest.status,
    exitCode: end.exitCode,
    error: rest.error || troubleOf(status, end),
    oomKilled: end.reason === 'OOMKilled',
    startedAt: instant(end.startedAt) ?? rest.startedAt,
    finishedAt: instant(end.finishedAt) ?? rest.finishedAt,
  };
}

function runsAgain(pod: KubePod, status: V1ContainerStatus, end: V1ContainerStateTerminated): boolean {
  if (hasEnded(pod) || isGoing(pod) || hasUsedUpRetries(pod, status)) return false;
  const isInit = pod.spec?.initContainers?.some(({ name }) => name === status.name) ?? false;
  if (isInit && end.exitCode === 0) return false;
  return pod.spec?.restartPolicy === 'Always' || (pod.spec?.restartPolicy === 'OnFailure' && end.exitCode !== 0);
}

/** A container at rest needs times to count as ended (`sync/docker-status.ts`): where its own are not known, the Pod's. */
function atRest(pod: KubePod, now: number): WorkloadState {
  const { startTime, conditions = [] } = pod.status ?? {};
  const changes = conditions.flatMap(({ lastTransitionTime }) => instant(lastTransitionTime) ?? []);
  const startedAt = instant(startTime) ?? instant(pod.metadata?.creationTimestamp);
  return {
    ...createdState,
    status: isGoing(pod) ? 'removing' : 'exited',
    error: podEndWords(pod) || overdueWords(pod, now),
    startedAt,
    finishedAt: changes.length > 0 ? Math.max(...changes) : startedAt,
  };
}
