import { statusAge } from './status-age.ts';

/** Docker's `State` as inspect gives it, as far as the rule reads it. */
export interface DockerState {
  Status?: string;
  Error?: string;
  Paused?: boolean;
  Restarting?: boolean;
  Running?: boolean;
  Dead?: boolean;
  ExitCode?: number;
  StartedAt?: string;
  FinishedAt?: string;
}

/** What `container.status` may say. Origin: zun/common/consts.py. */
export type ZunStatus =
  | 'Error'
  | 'Running'
  | 'Stopped'
  | 'Paused'
  | 'Unknown'
  | 'Creating'
  | 'Created'
  | 'Deleted'
  | 'Deleting'
  | 'Rebuilding'
  | 'Dead'
  | 'Restarting';

export interface StatusFields {
  status: ZunStatus;
  statusReason: string | null;
  statusDetail: string | null;
}

const STATUSES: ReadonlySet<string> = new Set<ZunStatus>([
  'Error',
  'Running',
  'Stopped',
  'Paused',
  'Unknown',
  'Creating',
  'Created',
  'Deleted',
  'Deleting',
  'Rebuilding',
  'Dead',
  'Restarting',
]);
/** Statuses that a workload which never ran does not change. */
const BEFORE_FIRST_RUN: ReadonlySet<ZunStatus> = new Set(['Created', 'Restarting', 'Error', 'Rebuilding']);
const UNEXPECTED = 'unexpected container state';

/**
 * The original's rule from Docker's state to a container's status, text for text. A state is an object from inspect, or a word from a
 * listing. Nothing changes while a task runs, unless `force` says that the task itself asks.
 * Origin: zun/container/docker/driver.py, _populate_container_state. `container-status.ts` builds the better rule on it.
 */
export function dockerStatus(
  state: DockerState | string | null,
  previous: StatusFields,
  options: { taskState: string | null; force: boolean; now: number },
): StatusFields {
  const { status, statusReason, statusDetail } = previous;
  if (options.taskState && !options.force) return { status, statusReason, statusDetail };
  if (state === null || state === '' || (typeof state === 'object' && Object.keys(state).length === 0)) {
    return { status: 'Unknown', statusReason: 'container state is missing', statusDetail: null };
  }
  if (typeof state === 'string') return { statusReason, ...fromWord(state.toLowerCase(), status), statusDetail: null };
  return { status, statusReason, statusDetail, ...fromState(state, status, options.now) };
}

function fromState(state: DockerState, status: ZunStatus, now: number): Partial<StatusFields> {
  const age = (time: string | undefined) => statusAge(time ?? '', now);
  if (state.Error) {
    const ended = age(state.FinishedAt);
    const detail = ended === null ? null : `Exited(${state.ExitCode}) ${ended} ago (error)`;
    return { status: statusWithError(state.Status ?? '', status), statusDetail: detail };
  }
  if (state.Paused || (state.Running && !state.Restarting)) {
    const up = age(state.StartedAt);
    const detail = up === null ? null : `Up ${up}${state.Paused ? ' (paused)' : ''}`;
    return { status: state.Paused ? 'Paused' : 'Running', statusDetail: detail };
  }
  if (state.Restarting) return { status: 'Restarting', statusDetail: 'Restarting' };
  if (state.Dead) return { status: 'Dead', statusDetail: 'Dead' };
  return atRest(state, status, age(state.StartedAt), age(state.FinishedAt));
}

/** An age is '' where the time is Docker's zero time. */
function atRest(state: DockerState, status: ZunStatus, started: string | null, finished: string | null): Partial<StatusFields> {
  if (started === '') return status === 'Creating' ? { status: 'Created', statusDetail: 'Created' } : {};
  if (finished === '') return { status: 'Unknown', statusReason: UNEXPECTED, statusDetail: '' };
  return { status: 'Stopped', statusDetail: `Exited(${state.ExitCode}) ${finished ?? 'None'} ago ` };
}

function statusWithError(word: string, status: ZunStatus): ZunStatus {
  if (word === 'exited' || word === 'removing') return 'Stopped';
  const capitalized = `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`;
  return STATUSES.has(capitalized) ? (capitalized as ZunStatus) : status;
}

function fromWord(word: string, status: ZunStatus): { status: ZunStatus; statusReason?: string } {
  switch (word) {
    case 'created':
      if (status === 'Creating') return { status: 'Created' };
      return BEFORE_FIRST_RUN.has(status) ? { status } : { status: 'Unknown', statusReason: UNEXPECTED };
    case 'paused':
      return { status: 'Paused' };
    case 'running':
      return { status: 'Running' };
    case 'dead':
      return { status: 'Dead' };
    case 'restarting':
      return { status: 'Restarting' };
    case 'exited':
    case 'removing':
      return { status: 'Stopped' };
    default:
      return { status: 'Unknown', statusReason: UNEXPECTED };
  }
}
