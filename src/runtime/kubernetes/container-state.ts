import type { V1ContainerStateTerminated, V1ContainerStatus } from '@kubernetes/client-node';
import type { WorkloadState } from '../container-runtime.ts';
import { imageRefusal } from './image-refusal.ts';
import { instant } from './instant.ts';
import { annotations, type KubePod } from './kube-object.ts';
import { lostNodeWords } from './lost-node-words.ts';
import { podEndWords } from './pod-end-words.ts';
import { podHealth } from './pod-health.ts';
import { hasEnded, isGoing } from './pod-phase.ts';
import { isStartError, startFailure } from './start-failure.ts';
import { usedUpRetries } from './used-up-retries.ts';

/**
 * The state of one container of a Pod, init containers too; `now` in epoch milliseconds. Pure.
 *
 * A container that could not be started is created, with the words. One that the kubelet is about to run again is restarting. One
 * that still runs in a Pod that goes is running.
 */
export function containerState(pod: KubePod, name: string, now: number): WorkloadState {
  const status = statusOf(pod, name);
  const lost = lostNodeWords(pod, now);
  if (lost !== null && !status?.state?.terminated) {
    return { ...untouched, status: 'unknown', error: lost, startedAt: instant(status?.state?.running?.startedAt) };
  }
  if (status === undefined) return { ...untouched, error: hasEnded(pod) ? podEndWords(pod) : '' };
  const { running } = status.state ?? {};
  if (running && !hasEnded(pod)) {
    const container = pod.spec?.containers.find((one) => one.name === name);
    return {
      ...untouched,
      status: pod.metadata?.annotations?.[annotations.paused] === 'true' ? 'paused' : 'running',
      startedAt: instant(running.startedAt),
      health: podHealth(container, status, now),
    };
  }
  const failure = failureOf(status);
  if (failure !== null) return { ...untouched, error: failure };
  const end = lastEndOf(status);
  if (end !== undefined) return ended(pod, status, end);
  // The Pod has ended, and its kubelet did not live to tell of the container.
  if (running) return { ...atRest(pod), exitCode: killed, startedAt: instant(running.startedAt) };
  return { ...untouched, error: hasEnded(pod) ? podEndWords(pod) : '' };
}

const untouched: WorkloadState = {
  status: 'created',
  exitCode: 0,
  error: '',
  oomKilled: false,
  startedAt: null,
  finishedAt: null,
  health: null,
};
/** The code of a process that SIGKILL ended, for want of a better one. */
const killed = 137;

function statusOf(pod: KubePod, name: string): V1ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  return [...containerStatuses, ...initContainerStatuses].find((status) => status.name === name);
}

/** Of a container that has never run; of another one its last end says more. */
function failureOf({ state = {}, lastState = {} }: V1ContainerStatus): string | null {
  const failure = startFailure(state);
  if (failure !== null) return failure;
  if (lastState.terminated) return isStartError(lastState.terminated) && !state.terminated ? startFailure(lastState) : null;
  return state.waiting ? (imageRefusal(state.waiting)?.words ?? null) : null;
}

/** What the kubelet made up for a container that it could not find says less than the end before. */
function lastEndOf({ state, lastState }: V1ContainerStatus): V1ContainerStateTerminated | undefined {
  const end = state?.terminated ?? lastState?.terminated;
  return end?.reason === 'ContainerStatusUnknown' ? (lastState?.terminated ?? end) : end;
}

function ended(pod: KubePod, status: V1ContainerStatus, end: V1ContainerStateTerminated): WorkloadState {
  const rest = atRest(pod);
  const isLost = end.reason === 'ContainerStatusUnknown';
  return {
    ...rest,
    status: runsAgain(pod, status, end) ? 'restarting' : rest.status,
    exitCode: end.exitCode,
    error: rest.error || (isLost ? (end.message ?? '') : ''),
    oomKilled: end.reason === 'OOMKilled',
    startedAt: instant(end.startedAt) ?? rest.startedAt,
    finishedAt: instant(end.finishedAt) ?? rest.finishedAt,
  };
}

function runsAgain(pod: KubePod, status: V1ContainerStatus, end: V1ContainerStateTerminated): boolean {
  if (hasEnded(pod) || isGoing(pod) || usedUpRetries(pod, status) !== null) return false;
  // The kubelet waits to run it again: also an init container that failed, whatever the policy says of success.
  if (status.state?.waiting) return true;
  const isInit = pod.spec?.initContainers?.some(({ name }) => name === status.name) ?? false;
  if (isInit && end.exitCode === 0) return false;
  return pod.spec?.restartPolicy === 'Always' || (pod.spec?.restartPolicy === 'OnFailure' && end.exitCode !== 0);
}

/** A container at rest needs times to count as ended (`sync/docker-status.ts`): where its own are not known, the Pod's. */
function atRest(pod: KubePod): WorkloadState {
  const { startTime, conditions = [] } = pod.status ?? {};
  const changes = conditions.flatMap(({ lastTransitionTime }) => instant(lastTransitionTime) ?? []);
  const startedAt = instant(startTime) ?? instant(pod.metadata?.creationTimestamp);
  return {
    ...untouched,
    status: isGoing(pod) ? 'removing' : 'exited',
    error: podEndWords(pod),
    startedAt,
    finishedAt: changes.length > 0 ? Math.max(...changes) : startedAt,
  };
}
