import type { WorkloadObservation, WorkloadSpec, WorkloadState } from '../../container-runtime.ts';
import { createdState } from '../../created-state.ts';
import { annotations, type KubeSecret, type LastEnd } from '../kube-object.ts';
import type { RecordedSpec } from '../pod/workload-record.ts';

/**
 * What a record says of its workloads while there is no Pod, in the order of `podObservations`: created and never started, created with
 * the words of a start that failed, or ended as its last Pod did. Pure.
 */
export function recordObservations(record: KubeSecret, recorded: RecordedSpec): WorkloadObservation[] {
  const { annotations: notes = {} } = record.metadata ?? {};
  const text = notes[annotations.lastEnd];
  const last = text === undefined ? undefined : (JSON.parse(text) as LastEnd);
  const error = notes[annotations.startError] ?? '';
  const { spec } = recorded;
  const shared = {
    engineId: record.metadata?.uid ?? '',
    // What its Pod will be called.
    hostname: spec.hostname ?? record.metadata?.name ?? null,
    addresses: {},
  };
  const observed = (of: WorkloadSpec, end: LastEnd | undefined): WorkloadObservation => ({
    ...shared,
    uuid: of.uuid,
    state: stateOf(end, error),
    ...(of.command === null ? {} : { command: of.command }),
    ...(of.entrypoint === null ? {} : { entrypoint: of.entrypoint }),
    ports: portNumbers([of]),
    image: of.image,
    runtime: of.runtime,
  });
  if (recorded.kind === 'container') return [observed(recorded.spec, last)];
  const members = [...recorded.spec.initContainers, ...recorded.spec.containers];
  const whole = { ...shared, uuid: spec.uuid, state: stateOf(last, error), ports: portNumbers(members), image: '', runtime: null };
  return [whole, ...members.map((member) => observed(member, last?.members?.[member.uuid]))];
}

/** An end without a start is that of a container that never ran. The words of a later start that failed are the newer ones. */
function stateOf(end: LastEnd | undefined, startError: string): WorkloadState {
  if (end === undefined || end.startedAt === null) {
    return { ...createdState, error: startError || (end?.error ?? '') };
  }
  const { exitCode, error, oomKilled, startedAt, finishedAt } = end;
  return {
    status: 'exited',
    exitCode,
    error: startError || error,
    oomKilled,
    startedAt,
    finishedAt: finishedAt ?? startedAt,
    health: null,
  };
}

function portNumbers(specs: WorkloadSpec[]): number[] {
  return [...new Set(specs.flatMap(({ exposedPorts }) => exposedPorts.map((port) => Number.parseInt(port, 10))))];
}
