import type { Clock } from '../../src/telemetry/clock.ts';
import type { Ids } from '../../src/telemetry/ids.ts';

/** A clock that stands until the test moves it; sleeping moves it on. */
export class FixedClock implements Clock {
  #now: number;

  constructor(now = Date.UTC(2026, 2, 1, 12)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (!signal?.aborted) this.#now += milliseconds;
  }
}

/** Counts up: `f0000000-0000-4000-8000-000000000001`, …; `below` is always 0. */
export function countedIds(): Ids {
  let last = 0;
  const uuid = () => {
    last += 1;
    return `f0000000-0000-4000-8000-${String(last).padStart(12, '0')}`;
  };
  return { uuid, requestId: () => `req-${uuid()}`, below: () => 0 };
}
