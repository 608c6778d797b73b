import type { Clock } from '../../src/telemetry/clock.ts';

interface Sleeper {
  until: number;
  /** Of those that wake at one time the first to sleep is the first to wake. */
  order: number;
  wake: (() => void) | null;
  /** Calls the signal off: Node keeps one that was made of others, and all behind it, as long as somebody listens to it. */
  forget(): void;
}

/** The time of a simulated world: it stands until nobody has anything to do, then it is as late as the next sleeper wants it. */
export class SimulatedClock implements Clock {
  #now = Date.UTC(2026, 2, 1, 12);
  #order = 0;
  /** A binary heap: the next to wake is first. */
  readonly #sleepers: Sleeper[] = [];

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted || milliseconds <= 0) return resolve();
      const callOff = () => {
        sleeper.wake = null;
        resolve();
      };
      const forget = () => signal?.removeEventListener('abort', callOff);
      const sleeper: Sleeper = { until: this.#now + milliseconds, order: this.#order++, wake: resolve, forget };
      this.#push(sleeper);
      signal?.addEventListener('abort', callOff, { once: true });
    });
  }

  /** Moves on to the next time at which somebody wakes, at most to `limit`, and wakes all of that time; answers how many. */
  advance(limit: number): number {
    for (let first = this.#sleepers[0]; first && first.wake === null; first = this.#sleepers[0]) this.#pop();
    const next = this.#sleepers[0]?.until ?? Number.POSITIVE_INFINITY;
    this.#now = Math.max(this.#now, Math.min(next, limit));
    let woken = 0;
    for (let first = this.#sleepers[0]; first && first.until <= this.#now; first = this.#sleepers[0]) {
      this.#pop();
      if (first.wake === null) continue;
      first.forget();
      first.wake();
      woken += 1;
    }
    return woken;
  }

  /** Nobody wakes any more. */
  end(): void {
    for (const sleeper of this.#sleepers) sleeper.forget();
    this.#sleepers.length = 0;
  }

  #push(sleeper: Sleeper): void {
    const heap = this.#sleepers;
    let at = heap.push(sleeper) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (!above || isBefore(above, sleeper)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = sleeper;
  }

  #pop(): void {
    const heap = this.#sleepers;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      const child = right && left && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1;
      const below = heap[child];
      if (!below || isBefore(last, below)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}

const isBefore = (one: Sleeper, other: Sleeper): boolean =>
  one.until < other.until || (one.until === other.until && one.order < other.order);
