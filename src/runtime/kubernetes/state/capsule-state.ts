import type { WorkloadState } from '../../container-runtime.ts';
import type { KubePod } from '../kube-object.ts';
import { overdueWords } from './held-pod-words.ts';
import { instant } from './instant.ts';
import { lostNodeWords } from './lost-node-words.ts';
import { podEndWords } from './pod-end-words.ts';
import { hasEnded, isGoing } from './pod-phase.ts';

/**
 * The state of a capsule as a whole, what its sandbox is under Docker: it runs from its first container's start until all have ended.
 * `members`: the states of its containers, init containers too; `now` in epoch milliseconds. A failure of a member to start is the
 * capsule's, as long as nothing runs. Pure.
 */
export function capsuleState(pod: KubePod, members: WorkloadState[], now: number): WorkloadState {
  const began = members.flatMap(({ startedAt }) => startedAt ?? []);
  const finished = members.flatMap(({ finishedAt }) => finishedAt ?? []);
  const state: WorkloadState = {
    status: 'created',
    exitCode: 0,
    error: '',
    oomKilled: false,
    startedAt: began.length > 0 ? Math.min(...began) : null,
    finishedAt: null,
    health: null,
  };
  const lost = lostNodeWords(pod, now);
  if (lost !== null) return { ...state, status: 'unknown', error: lost };
  if (state.startedAt === null) return { ...state, error: members.find(({ error }) => error !== '')?.error ?? '' };
  const isOver = hasEnded(pod) || (isGoing(pod) && members.every(({ status }) => status === 'removing' || status === 'created'));
  if (!isOver) return { ...state, status: 'running' };
  return {
    ...state,
    status: isGoing(pod) ? 'removing' : 'exited',
    exitCode: members.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0,
    error: podEndWords(pod) || overdueWords(pod, now),
    oomKilled: members.some(({ oomKilled }) => oomKilled),
    finishedAt: finished.length > 0 ? Math.max(...finished) : (instant(pod.status?.startTime) ?? state.startedAt),
  };
}
