import type { Clock } from './clock.ts';

/**
 * Runs the work with a signal that aborts after so many milliseconds of this clock, with the reason of `AbortSignal.timeout`.
 * Nothing waits on once the work has ended.
 */
export async function withDeadline<T>(clock: Clock, milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const expired = new AbortController();
  const over = new AbortController();
  void clock.sleep(milliseconds, over.signal).then(() => {
    if (!over.signal.aborted) expired.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  });
  try {
    return await work(expired.signal);
  } finally {
    over.abort();
  }
}
