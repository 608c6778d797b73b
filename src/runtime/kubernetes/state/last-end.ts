import type { WorkloadState } from '../../container-runtime.ts';
import type { KubePod, LastEnd } from '../kube-object.ts';
import { podObservations } from './pod-observations.ts';

/** How the workload of a Pod ended, a capsule's containers too, for the record, before the Pod goes. Pure. */
export function lastEndOf(pod: KubePod): LastEnd {
  // The time matters to health alone, which an ended Pod has none of.
  const [whole, ...members] = podObservations(pod, 0);
  return {
    ...endOf(whole?.state),
    ...(members.length === 0 ? {} : { members: Object.fromEntries(members.map(({ uuid, state }) => [uuid, endOf(state)])) }),
  };
}

function endOf(state: WorkloadState | undefined): LastEnd {
  return {
    exitCode: state?.exitCode ?? 0,
    startedAt: state?.startedAt ?? null,
    finishedAt: state?.finishedAt ?? null,
    oomKilled: state?.oomKilled ?? false,
    error: state?.error ?? '',
  };
}
