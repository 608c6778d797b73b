import type { V1ObjectMeta, V1PodSpec, V1PodStatus } from '@kubernetes/client-node';
import type { WorkloadObservation } from '../../src/runtime/container-runtime.ts';
import type { KubePod } from '../../src/runtime/kubernetes/kube-object.ts';
import { podObservations } from '../../src/runtime/kubernetes/state/pod-observations.ts';
import { startProgress } from '../../src/runtime/kubernetes/state/start-progress.ts';

/** A Pod as a real cluster told of it, from its creation on; times are texts. */
export interface Recording {
  metadata: V1ObjectMeta;
  spec: V1PodSpec;
  stages: { at: string; deletionTimestamp?: string; status: V1PodStatus }[];
}

/** What the rules say of each stage, one line each where it differs from the one before: the start, then each workload. */
export function seenOfRecording(recording: Recording): string[] {
  const lines = podsOf(recording).map(({ pod, at }) => {
    const start = startProgress(pod, at);
    const words = start.state === 'failed' ? ` ${start.kind}${start.definite ? '!' : ''} "${start.words}"` : '';
    return `start ${start.state}${words} | ${podObservations(pod, at).map(seen).join(' | ')}`;
  });
  return lines.filter((line, index) => line !== lines[index - 1]);
}

/** The Pod of each stage, and when it was seen (epoch milliseconds). */
export function podsOf({ metadata, spec, stages }: Recording): { pod: KubePod; at: number }[] {
  return stages.map(({ at, deletionTimestamp, status }) => {
    const going = deletionTimestamp === undefined ? {} : { deletionTimestamp: new Date(deletionTimestamp) };
    return { pod: { metadata: { ...metadata, ...going }, spec, status }, at: Date.parse(at) };
  });
}

function seen({ state }: WorkloadObservation): string {
  const { status, exitCode, oomKilled, error, startedAt, finishedAt, health } = state;
  const times = `${startedAt === null ? '' : ' started'}${finishedAt === null ? '' : ' finished'}`;
  const code = exitCode === 0 ? '' : ` ${exitCode}`;
  return `${status}${code}${oomKilled ? ' oom' : ''}${health === null ? '' : ` ${health}`}${times}${error === '' ? '' : ` "${error}"`}`;
}
