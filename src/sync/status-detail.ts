import type { WorkloadState } from '../runtime/container-runtime.ts';
import { ageText } from './status-age.ts';

/**
 * `status_detail` in two forms. The row holds when something happened, which stays true without being written again:
 * `Up since 2026-03-01T10:00:00Z (healthy)`, `Exited(137) at 2026-03-01T11:30:00Z`. Users see how long ago that was, as under the
 * original: `Up 2 hours (healthy)`, `Exited(137) 30 mins ago `. There is no column for the time a container ended, hence the text.
 */

/** The column's VARCHAR(50); the longest text made here has 48. */
const COLUMN_LENGTH = 50;
const STORED = /^(?:(Up) since|(Exited\(-?\d+\)) at) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)(.*)$/;

/** The row's form of an engine's state; `null` when the state has no detail. */
export function statusDetail(state: WorkloadState): string | null {
  return storedText(state)?.slice(0, COLUMN_LENGTH) ?? null;
}

/** What users see at the time. Texts of another form, such as the original's own, stay as they are. */
export function statusDetailNow(stored: string | null, now: number): string | null {
  const match = STORED.exec(stored ?? '');
  if (!match) return stored;
  const [, up, exited, time = '', remark = ''] = match;
  // Clocks differ a little between machines: never a negative age.
  const age = ageText(Math.max(0, now - Date.parse(time))) ?? '0 seconds';
  // The original leaves a space where no remark follows; clients compare the text.
  return up ? `Up ${age}${remark}` : `${exited} ${age} ago ${remark.trimStart()}`;
}

function storedText(state: WorkloadState): string | null {
  switch (state.status) {
    case 'created':
      return state.error === '' ? 'Created' : null;
    case 'running':
      return upSince(state.startedAt, healthRemark(state));
    case 'paused':
      return upSince(state.startedAt, ' (paused)');
    case 'restarting':
      return 'Restarting';
    case 'dead':
      return 'Dead';
    case 'unknown':
      return null;
    case 'exited':
    case 'removing':
      if (state.finishedAt === null) return null;
      return `Exited(${state.exitCode}) at ${stamp(state.finishedAt)}${state.error === '' ? '' : ' (error)'}`;
  }
}

function upSince(startedAt: number | null, remark: string): string | null {
  return startedAt === null ? null : `Up since ${stamp(startedAt)}${remark}`;
}

/** As `docker ps` shows it. */
function healthRemark({ health }: WorkloadState): string {
  if (health === null) return '';
  return health === 'starting' ? ' (health: starting)' : ` (${health})`;
}

function stamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
