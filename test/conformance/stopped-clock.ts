import type { Clock } from '../../src/telemetry/clock.ts';

/** A clock that stands at one time: nothing that waits for it comes, so that no deadline passes. */
export class StoppedClock implements Clock {
  readonly #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(_milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) resolve();
      else signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
