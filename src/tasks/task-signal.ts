import type { Clock } from '../telemetry/clock.ts';

/**
 * Wakes the workers of this process when a task was committed, and tells them of cancellations.
 * Other processes find both by polling.
 */
export class TaskSignal {
  readonly #waiting = new Set<() => void>();
  readonly #onCancel = new Set<(subject: string) => void>();
  #pending = false;

  /** A task may be claimable. Call it after the commit. */
  wake(): void {
    this.#pending = this.#waiting.size === 0;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Tasks of the subject are cancelled. Call it after the commit. */
  cancel(subject: string): void {
    for (const listener of this.#onCancel) listener(subject);
  }

  onCancel(listener: (subject: string) => void): () => void {
    this.#onCancel.add(listener);
    return () => this.#onCancel.delete(listener);
  }

  /** Resolves at the next wake, after the time, or when the signal aborts. A wake while nobody waited counts. */
  next(milliseconds: number, signal: AbortSignal, clock: Clock): Promise<void> {
    if (this.#pending || signal.aborted) {
      this.#pending = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const over = new AbortController();
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        over.abort();
        resolve();
      };
      signal.addEventListener('abort', done);
      this.#waiting.add(done);
      void clock.sleep(milliseconds, over.signal).then(done);
    });
  }
}
