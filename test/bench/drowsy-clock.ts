import type { Clock } from '../../src/telemetry/clock.ts';

/** The clock of a process that can be stopped: while it sleeps time goes by and none of its timers goes off. */
export class DrowsyClock implements Clock {
  readonly #world: Clock;
  #asleep: PromiseWithResolvers<void> | null = null;

  constructor(world: Clock) {
    this.#world = world;
  }

  now(): number {
    return this.#world.now();
  }

  monotonic(): number {
    return this.#world.monotonic();
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await this.#world.sleep(milliseconds, signal);
    await this.#asleep?.promise;
  }

  fallAsleep(): void {
    this.#asleep ??= Promise.withResolvers();
  }

  /** Timers that were due meanwhile go off. */
  wake(): void {
    this.#asleep?.resolve();
    this.#asleep = null;
  }
}
