import type { Clock } from '../telemetry/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type DependencyCheck, refusal } from './readiness.ts';

export interface OutageOptions {
  /** As `/readyz` names it: `engine`. */
  dependency: string;
  check: DependencyCheck;
  clock: Clock;
  logger: Logger;
}

/** Between two looks whether it is back, in milliseconds; doubles. */
const firstPause = 1_000;
const longestPause = 10_000;

/**
 * Notices that a dependency is away, and when it is back: says each once in the log, however many calls fail meanwhile. While it answers nothing
 * is asked.
 */
export class Outage {
  readonly #options: OutageOptions;
  readonly #stopping = new AbortController();
  readonly #endListeners: (() => unknown)[] = [];
  #following: Promise<void> | null = null;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** A call has failed as if nobody were there, or none was made yet: is it away? */
  suspect(): void {
    if (this.#following || this.#stopping.signal.aborted) return;
    this.#following = this.#follow().finally(() => {
      this.#following = null;
    });
  }

  /** `listener` is called each time that the dependency is back; it may not throw. */
  onEnd(listener: () => unknown): void {
    this.#endListeners.push(listener);
  }

  /** From now on nothing is asked and nothing is said. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { dependency, clock, logger } = this.#options;
    const reason = await this.#refusal();
    if (reason === null) return;
    const began = clock.monotonic();
    logger.warn({ dependency, reason }, `the ${dependency} does not answer; it is asked until it does`);
    let pause = firstPause;
    do {
      await clock.sleep(pause, this.#stopping.signal);
      pause = Math.min(pause * 2, longestPause);
    } while ((await this.#refusal()) !== null);
    if (this.#stopping.signal.aborted) return;
    const seconds = Math.round((clock.monotonic() - began) / 1000);
    logger.info({ dependency, seconds }, `the ${dependency} answers`);
    for (const listener of this.#endListeners) listener();
  }

  /** `null` also once this is stopped. */
  async #refusal(): Promise<string | null> {
    const { check, clock } = this.#options;
    const { signal } = this.#stopping;
    if (signal.aborted) return null;
    const reason = await refusal((over) => check(AbortSignal.any([over, signal])), clock);
    return signal.aborted ? null : reason;
  }
}
