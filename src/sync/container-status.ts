import type { WorkloadState } from '../runtime/container-runtime.ts';
import { type DockerState, dockerStatus, type StatusFields } from './docker-status.ts';
import { unknownStatus } from './last-known-status.ts';
import { statusDetail } from './status-detail.ts';

/** What the row says before the engine was asked. */
export interface PreviousStatus extends StatusFields {
  startedAt: number | null;
  containerId: string | null;
  autoRemove: boolean | null;
}

/** What the row is to say. `startedAt`: epoch milliseconds of a whole second, since not every database keeps more. */
export interface ObservedStatus extends StatusFields {
  startedAt: number | null;
}

export const OUT_OF_MEMORY = 'The container was killed because it ran out of memory.';
const ZERO_TIME = '0001-01-01T00:00:00Z';

/**
 * A container's status from what the engine says; `state` null = the engine answers and has no such workload.
 * The row's task is the caller's business. `statusDetail` is the row's form (`status-detail.ts`).
 *
 * Built on the original's rule (`docker-status.ts`) and better where that hides or loses something: health is in the detail, an
 * out-of-memory kill and a failed start are in the reason, a start that failed stays Error until it is started again, a workload whose
 * node is lost is Unknown, and a reason goes when the status it explained has gone.
 */
export function statusOf(previous: PreviousStatus, state: WorkloadState | null, now: number): ObservedStatus {
  if (state === null) return withoutWorkload(previous);
  const startedAt = state.startedAt === null ? previous.startedAt : Math.floor(state.startedAt / 1000) * 1000;
  if (state.status === 'unknown') return { ...unknownStatus(fieldsOf(previous), state.error), startedAt };
  if (state.status === 'created') return { ...neverStarted(previous, state), startedAt };
  const { status } = dockerStatus(dockerState(state), previous, { taskState: null, force: true, now });
  return { status, statusReason: reason(previous, state, status), statusDetail: statusDetail(state), startedAt };
}

/** Whether writing `next` would change the row: sync writes nothing otherwise, however much time has passed. */
export function changesRow(previous: ObservedStatus, next: ObservedStatus): boolean {
  return (
    previous.status !== next.status ||
    previous.statusReason !== next.statusReason ||
    previous.statusDetail !== next.statusDetail ||
    previous.startedAt !== next.startedAt
  );
}

/**
 * Deleted for an auto-remove container, whose row is then to be removed; Error with the original's sentence for others. A row whose
 * workload was not made yet, or is known to be gone, stays.
 * Origin: zun/container/docker/driver.py, handle_not_found and heal_with_rebuilding_container.
 */
function withoutWorkload(previous: PreviousStatus): ObservedStatus {
  const { status, statusReason, statusDetail: detail, startedAt, containerId } = previous;
  const settled = ['Deleting', 'Deleted', 'Error'].includes(status) || (status === 'Creating' && containerId === null);
  if (settled) return { status, statusReason, statusDetail: detail, startedAt };
  if (previous.autoRemove) return { status: 'Deleted', statusReason: null, statusDetail: null, startedAt };
  return { status: 'Error', statusReason: `No such container: ${containerId} in docker`, statusDetail: null, startedAt };
}

/** In the original a row that said Running stays so for a workload that was never started; here the engine is believed. */
function neverStarted(previous: PreviousStatus, state: WorkloadState): StatusFields {
  if (state.error !== '') return { status: 'Error', statusReason: failure(previous, state.error), statusDetail: null };
  const { status, statusReason, statusDetail: detail } = previous;
  if (status === 'Error' || status === 'Rebuilding' || status === 'Restarting') return { status, statusReason, statusDetail: detail };
  return { status: 'Created', statusReason: status === 'Created' ? statusReason : null, statusDetail: statusDetail(state) };
}

/** A reason that the failed action wrote says more than the engine's words alone. */
function failure(previous: PreviousStatus, words: string): string {
  return previous.status === 'Error' && previous.statusReason?.includes(words) ? previous.statusReason : words;
}

function reason(previous: PreviousStatus, state: WorkloadState, status: StatusFields['status']): string | null {
  if (status === 'Stopped' && state.oomKilled) return OUT_OF_MEMORY;
  if (status === 'Stopped' && state.error !== '') return state.error;
  return previous.status === status && previous.statusReason !== OUT_OF_MEMORY ? previous.statusReason : null;
}

const fieldsOf = ({ status, statusReason, statusDetail: detail }: StatusFields): StatusFields => ({
  status,
  statusReason,
  statusDetail: detail,
});

function dockerState(state: WorkloadState): DockerState {
  const time = (milliseconds: number | null) => (milliseconds === null ? ZERO_TIME : new Date(milliseconds).toISOString());
  return {
    Status: state.status,
    Error: state.error,
    Running: ['running', 'paused', 'restarting'].includes(state.status),
    Paused: state.status === 'paused',
    Restarting: state.status === 'restarting',
    Dead: state.status === 'dead',
    ExitCode: state.exitCode,
    StartedAt: time(state.startedAt),
    FinishedAt: time(state.finishedAt),
  };
}
