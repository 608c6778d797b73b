import type { Clock } from '../../telemetry/clock.ts';
import { withDeadline } from '../../telemetry/with-deadline.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { keepFilesystem } from './keep-filesystem.ts';
import { annotations, type KubePod, type LastEnd } from './kube-object.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';
import { lastEndOf } from './last-end.ts';
import type { NodeAccess } from './node-access.ts';
import { hasEnded, isGoing } from './pod-phase.ts';
import { type StartProgress, startProgress } from './start-progress.ts';
import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadPods } from './workload-pods.ts';
import type { WorkloadRecords } from './workload-records.ts';

export interface StartParts {
  records: WorkloadRecords;
  pods: WorkloadPods;
  settings: KubernetesSettings;
  clock: Clock;
  /** `null` where the operator gave the node agents no access to containerd. */
  nodeAccess: NodeAccess | null;
}

/**
 * Runs the Pod of a record and waits until its process runs, or has run. A Pod that has ended is replaced, after its end was noted on
 * the record. A start that fails leaves what there was before it: the record, with the words.
 */
export async function startWorkload(parts: StartParts, place: WorkloadPlace, signal?: AbortSignal): Promise<void> {
  const pod = (await runningPod(parts, place, signal)) ?? (await newPod(parts, place, signal));
  if (pod === 'runs') return;
  const progress = await awaitStart(parts, place, signal);
  if (progress.state !== 'failed') return;
  await parts.pods.remove(place, 0, signal);
  await parts.records.annotate(place, { [annotations.startError]: progress.words, [annotations.lastEnd]: null }, signal);
  throw new RuntimeFault(progress.kind, progress.words);
}

/** The Pod that is on its way or runs; `null` when one has to be made, and what was in its way is gone. */
async function runningPod(parts: StartParts, place: WorkloadPlace, signal?: AbortSignal): Promise<KubePod | 'runs' | null> {
  const pod = await parts.pods.find(place, signal);
  if (!pod) return null;
  if (pod.metadata?.annotations?.[annotations.paused] === 'true')
    throw new RuntimeFault('conflict', 'cannot start a paused container, try unpause instead');
  if (!hasEnded(pod) && !isGoing(pod)) return startProgress(pod, parts.clock.now()).state === 'running' ? 'runs' : pod;
  if (!isGoing(pod)) {
    await keepFilesystem(parts, place, pod, signal);
    await parts.records.annotate(place, { [annotations.lastEnd]: JSON.stringify(lastEndOf(pod)) }, signal);
  }
  await parts.pods.remove(place, 0, signal);
  return null;
}

async function newPod(parts: StartParts, place: WorkloadPlace, signal?: AbortSignal): Promise<KubePod | 'runs'> {
  const record = await parts.records.get(place, signal);
  const pod = parts.records.podOf(place, parts.records.specOf(record), record);
  // What the record says should the Pod vanish, with its node or by somebody's hand: not that it has never run.
  const vanished = JSON.stringify(vanishedEnd(parts.clock.now()));
  const [made] = await Promise.all([
    parts.pods.create(place, pod, signal),
    parts.records.annotate(place, { [annotations.startError]: null, [annotations.lastEnd]: vanished }, signal),
  ]);
  // Another attempt of the same start may have been faster.
  return made ?? pod;
}

async function awaitStart(
  parts: StartParts,
  place: WorkloadPlace,
  signal?: AbortSignal,
): Promise<Exclude<StartProgress, { state: 'waiting' }>> {
  const { pods, clock, settings } = parts;
  let last: StartProgress = { state: 'waiting' };
  const judge = (pod: KubePod | null) => {
    if (pod === null) return gone;
    last = startProgress(pod, clock.now());
    return last.state === 'waiting' || (last.state === 'failed' && !last.definite) ? null : last;
  };
  return withDeadline(clock, settings.pullDeadlineSeconds * 1000, async (deadline) => {
    try {
      return await pods.until(place, judge, signal ? AbortSignal.any([signal, deadline]) : deadline);
    } catch (error) {
      if (signal?.aborted || !deadline.aborted) throw error;
      if (last.state === 'failed') return last;
      return tooSlow(place, settings.pullDeadlineSeconds, await pods.obstacle(place, signal));
    }
  });
}

const gone = { state: 'failed', kind: 'failed', words: 'The Pod was removed while it started.', definite: true } as const;

const tooSlow = ({ namespace, name }: WorkloadPlace, seconds: number, obstacle: string | null) =>
  ({
    state: 'failed',
    kind: 'timeout',
    words: `Pod ${namespace}/${name} did not start within ${seconds} seconds${obstacle === null ? ', and its node does not say why.' : `: ${obstacle}`}`,
    definite: true,
  }) as const;

/** The exit code is that of a process that was killed; nobody saw it. */
const vanishedEnd = (startedAt: number): LastEnd => ({
  exitCode: 137,
  startedAt,
  finishedAt: null,
  oomKilled: false,
  error: 'The Pod is gone: its node was removed from the cluster, or somebody removed the Pod.',
});
