import { lastKnownStatus } from '../../sync/last-known-status.ts';
import type { Container } from './container.ts';

/** Between an engine's killing of a container that it removes by force and the removal, in milliseconds. */
const removal = 10_000;

/**
 * Whether a container that the engine has no more ran until it was lost, so that healing starts it again. An engine that removes a
 * running container kills it first, and the row may have followed that already; unless the user's own last action ended it. Pure.
 */
export function ranUntilLost(row: Pick<Container, 'status' | 'statusDetail'>, lastAction: string | null, now: number): boolean {
  if (lastKnownStatus(row) === 'Running') return true;
  if (row.status !== 'Stopped' || lastAction === 'stop' || lastAction === 'kill') return false;
  const [, killedAt] = /^Exited\(137\) at (\S+)/.exec(row.statusDetail ?? '') ?? [];
  return killedAt !== undefined && now - Date.parse(killedAt) < removal;
}
