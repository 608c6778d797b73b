import { backOff, isTransient } from '../../../tasks/transient.ts';
import type { Clock } from '../../../telemetry/clock.ts';

/** Milliseconds for which a runtime that can't be asked is asked again. */
const patience = 60_000;

/**
 * Answers what the look does, and looks again where the runtime can't be asked, for a minute. A step's patience counts from when it began:
 * one that has waited longer than that for an init container would have none left, and fail at the first call that is lost.
 */
export async function lookPatiently<T>(clock: Clock, signal: AbortSignal, look: () => Promise<T>): Promise<T> {
  const began = clock.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await look();
    } catch (error) {
      if (!isTransient(error) || signal.aborted || clock.now() - began >= patience) throw error;
    }
    await clock.sleep(backOff(attempt), signal);
    signal.throwIfAborted();
  }
}
