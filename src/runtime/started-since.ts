/**
 * Whether what started at `startedAt` (epoch milliseconds; `null` = never) did so after `since`, which a row tells in whole seconds: a start within that
 * second counts as the one that the row tells of. Pure.
 */
export function startedSince(startedAt: number | null, since: number): boolean {
  return startedAt !== null && Math.floor(startedAt / 1000) * 1000 > since;
}
