import type { Ids } from '../telemetry/ids.ts';

/** `lease_owner` has 64 characters. */
const hostCharacters = 40;

/** `<host>:<pid>:<random>`: unlike every other worker there is or was, since process ids come again, and in containers are all the same. */
export function workerOwner(host: string, pid: number, ids: Ids): string {
  return `${ownersOf(host)}${pid}:${ids.uuid().slice(0, 8)}`;
}

/** What the names of a host's workers begin with. */
export const ownersOf = (host: string): string => `${host.slice(0, hostCharacters)}:`;
