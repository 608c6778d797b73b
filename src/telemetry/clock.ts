/** The only reader of the machine's time; tests pass their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since some moment, which go on however the machine's time is set: for what must not be fooled by that. */
  monotonic(): number;
  /** Resolves after the time, or at once (without throwing) when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal?.addEventListener('abort', done);
    }),
};
