import type { Clock } from '../../src/telemetry/clock.ts';

interface Sleeper {
  until: number;
  wake(): void;
}

/** A clock that stands until the test moves it on; who sleeps waits for that. */
export class StandingClock implements Clock {
  #now = Date.UTC(2026, 2, 1, 12);
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted || milliseconds <= 0) return resolve();
      const sleeper = { until: this.#now + milliseconds, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        resolve();
      });
    });
  }

  /** Moves on and wakes those whose time has come; what they then do has happened when this resolves. */
  async advance(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    for (const sleeper of this.#sleepers) {
      if (sleeper.until > this.#now) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
