import type { Clock } from '../../telemetry/clock.ts';
import { withDeadline } from '../../telemetry/with-deadline.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { startedSince } from '../started-since.ts';
import { keepFilesystem } from './keep-filesystem.ts';
import { annotations, type KubePod, type KubeSecret, type LastEnd } from './kube-object.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';
import type { NodeAccess } from './node/node-access.ts';
import { removalGraceSeconds } from './remove-workload.ts';
import { lastEndOf } from './state/last-end.ts';
import { hasEnded, isGoing, nothingHasRun } from './state/pod-phase.ts';
import { type StartProgress, startProgress } from './state/start-progress.ts';
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
 * the record; one that has started after `since` (epoch milliseconds, `null` = none has) is this start's own, of an earlier attempt. A start
 * that fails leaves what there was before it: the record, with the words. Answers the Pod as it runs; `null` when it has run and is over
 * already.
 */
export async function startWorkload(
  parts: StartParts,
  place: WorkloadPlace,
  since: number | null,
  signal?: AbortSignal,
): Promise<KubePod | null> {
  const { pod, progress } = await awaitStart(parts, place, await podToStart(parts, place, since, signal), signal);
  if (progress.state !== 'failed') return progress.state === 'running' ? pod : null;
  // Before its Pod goes: without it another attempt of this start would take it for one that has run.
  await parts.records.annotate(place, { [annotations.startError]: progress.words, [annotations.lastEnd]: null }, signal);
  const runs = await removeFailed(parts, place, pod, signal);
  if (runs) {
    await noteStarted(parts, place, signal);
    return runs === 'has run' ? null : runs;
  }
  throw new RuntimeFault(progress.kind, progress.words);
}

/** Removes a Pod whose start has failed, unless it has come to run since; then it is answered. `pod` as it was judged; `null` = gone. */
async function removeFailed(
  parts: StartParts,
  place: WorkloadPlace,
  pod: KubePod | null,
  signal?: AbortSignal,
): Promise<KubePod | 'has run' | null> {
  for (let now = pod; now; now = await parts.pods.find(place, signal)) {
    const { state } = startProgress(now, parts.clock.now());
    if (state === 'running') return now;
    if (state === 'ended') return 'has run';
    // In a capsule others may run that it was not waited for.
    if (await parts.pods.removeUnchanged(place, now, nothingHasRun(now) ? 0 : removalGraceSeconds, signal)) return null;
  }
  return null;
}

/** The Pod that is on its way or runs, made where there is none. A record of which no Pod was made yet has one made without a look. */
async function podToStart(parts: StartParts, place: WorkloadPlace, since: number | null, signal?: AbortSignal): Promise<KubePod> {
  let record = await parts.records.get(place, signal);
  let made = hasHadPod(record) ? null : await newPod(parts, place, record, signal);
  while (!made) {
    const there = await podThere(parts, place, { record, since }, signal);
    if (there.pod) {
      // Another attempt has made it, and did not live to say so.
      if (!hasHadPod(record)) await noteStarted(parts, place, signal);
      return there.pod;
    }
    record = there.record;
    // Another attempt of the same start may be faster.
    made = await newPod(parts, place, record, signal);
  }
  return made;
}

const hasHadPod = ({ metadata }: KubeSecret): boolean => metadata?.annotations?.[annotations.lastEnd] !== undefined;

/** The Pod that is on its way or runs; without one, what was in the way of a new one is gone, and the record says how that ended. */
async function podThere(
  parts: StartParts,
  place: WorkloadPlace,
  { record, since }: { record: KubeSecret; since: number | null },
  signal?: AbortSignal,
): Promise<{ pod: KubePod | null; record: KubeSecret }> {
  const pod = await parts.pods.find(place, signal);
  if (!pod) return { pod, record };
  if (pod.metadata?.annotations?.[annotations.paused] === 'true')
    throw new RuntimeFault('conflict', 'cannot start a paused container, try unpause instead');
  const isOwn = !hasEnded(pod) || (since !== null && startedSince(lastEndOf(pod).startedAt, since));
  if (isOwn && !isGoing(pod)) return { pod, record };
  let noted = record;
  if (!isGoing(pod)) {
    await keepFilesystem(parts, place, pod, signal);
    noted = await parts.records.annotate(place, { [annotations.lastEnd]: JSON.stringify(lastEndOf(pod)) }, signal);
  }
  // One that goes may have processes still, which its kubelet has to end first; of one that has ended the server waits for nothing.
  await parts.pods.remove(place, removalGraceSeconds, signal);
  return { pod: null, record: noted };
}

/** `null` when a Pod of that name exists. */
async function newPod(parts: StartParts, place: WorkloadPlace, record: KubeSecret, signal?: AbortSignal): Promise<KubePod | null> {
  const pod = parts.records.podOf(place, parts.records.specOf(record), record);
  const made = await parts.pods.create(place, pod, signal);
  // Not before: of a Pod that could not be made, for want of quota perhaps, nothing has vanished. The kubelet is at work meanwhile.
  await noteStarted(parts, place, signal);
  return made;
}

/** Has the record say, should the Pod vanish with its node or by somebody's hand, that it has run. */
async function noteStarted({ records, clock }: StartParts, place: WorkloadPlace, signal?: AbortSignal): Promise<void> {
  const vanished = JSON.stringify(vanishedEnd(clock.now()));
  await records.annotate(place, { [annotations.startError]: null, [annotations.lastEnd]: vanished }, signal);
}

/** How far a start has come, and the Pod that it was seen by. */
interface Seen {
  pod: KubePod | null;
  progress: StartProgress;
}

async function awaitStart(parts: StartParts, place: WorkloadPlace, begun: KubePod, signal?: AbortSignal): Promise<Seen> {
  const { pods, clock, settings } = parts;
  let last: Seen = { pod: begun, progress: { state: 'waiting' } };
  const judge = (pod: KubePod | null): Seen | null => {
    if (pod === null) return { pod, progress: gone };
    last = { pod, progress: startProgress(pod, clock.now()) };
    const { progress } = last;
    return progress.state === 'waiting' || (progress.state === 'failed' && !progress.definite) ? null : last;
  };
  return withDeadline(clock, settings.pullDeadlineSeconds * 1000, async (deadline) => {
    try {
      return await pods.until(place, judge, signal ? AbortSignal.any([signal, deadline]) : deadline, begun);
    } catch (error) {
      if (signal?.aborted || !deadline.aborted) throw error;
      if (last.progress.state === 'failed') return last;
      return { ...last, progress: tooSlow(place, settings.pullDeadlineSeconds, await pods.obstacle(place, 'start', signal)) };
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
  error: 'The Pod is gone: somebody removed it, or its node was drained or removed from the cluster.',
});
