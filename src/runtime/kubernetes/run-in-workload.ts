import type { Clock } from '../../telemetry/clock.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import type { KubeClient } from './client/kube-client.ts';
import { runInPod } from './client/run-in-pod.ts';
import { annotations, type KubePod } from './kube-object.ts';
import { hasEnded, isGoing } from './state/pod-phase.ts';
import { noSuchWorkload, type WorkloadPlace } from './workload-place.ts';
import type { WorkloadPods } from './workload-pods.ts';
import type { WorkloadRecords } from './workload-records.ts';

export interface RunOptions {
  /** For the command's standard input. */
  input?: Buffer;
  deadlineMs?: number;
  signal?: AbortSignal | undefined;
}

/** A command's streams and how it ended. `output`: both streams as they came. */
export interface RunAnswer {
  output: Buffer;
  stdout: Buffer;
  stderr: Buffer;
  exitCode: number;
}

export type RunInWorkload = (place: WorkloadPlace, command: string[], options: RunOptions) => Promise<RunAnswer>;

/** Runs commands in running workloads. What does not run, or is paused, is a `conflict`. */
export function runInWorkload(parts: { client: KubeClient; clock: Clock; pods: WorkloadPods; records: WorkloadRecords }): RunInWorkload {
  return async (place, command, { input, deadlineMs, signal }) => {
    await requireRunning(parts, place, signal);
    return runInPod(parts.client, {
      namespace: place.namespace,
      pod: place.name,
      container: place.container ?? '',
      command,
      input: input ?? null,
      clock: parts.clock,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      signal: signal ?? new AbortController().signal,
    });
  };
}

/** The Pod of a workload whose process runs and is not held. Faults `conflict`, `not-found`. */
export async function requireRunning(
  { pods, records }: { pods: WorkloadPods; records: WorkloadRecords },
  place: WorkloadPlace,
  signal?: AbortSignal,
): Promise<KubePod> {
  const pod = await pods.find(place, signal);
  if (!pod && !(await records.find(place, signal))) throw noSuchWorkload(place.uuid);
  return asRunning(pod, place);
}

/** The Pod, if the workload's process runs in it and is not held. Fault `conflict`. Pure. */
export function asRunning(pod: KubePod | null, place: WorkloadPlace): KubePod {
  const status = pod?.status?.containerStatuses?.find(({ name }) => name === place.container);
  const inits = pod?.status?.initContainerStatuses?.find(({ name }) => name === place.container);
  if (!pod || hasEnded(pod) || isGoing(pod) || !(status ?? inits)?.state?.running)
    throw new RuntimeFault('conflict', `Container ${place.uuid} is not running`);
  if (pod.metadata?.annotations?.[annotations.paused] === 'true')
    throw new RuntimeFault('conflict', `Container ${place.uuid} is paused, unpause the container before exec`);
  return pod;
}
