import { ZunError } from '../errors/zun-error.ts';
import { isFault } from '../runtime/runtime-fault.ts';

/** True for failures that the same call may not meet a moment later: the other side could not be asked. */
export function isTransient(error: unknown): boolean {
  return isFault(error, 'unreachable') || (error instanceof ZunError && error.status === 503);
}

/** Milliseconds before the next attempt: 0.5 s, doubling, at most 15 s. */
export function backOff(attempt: number): number {
  return Math.min(15_000, 500 * 2 ** Math.min(attempt - 1, 5));
}
