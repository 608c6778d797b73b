import type { Clock } from '../../src/telemetry/clock.ts';
import type { Life } from './life.ts';

/** The clock of one process: off by what it is set to, and of no use to a dead one. */
export class ProcessClock implements Clock {
  readonly #world: Clock;
  readonly #life: Life;
  /** Milliseconds that it is ahead of the others. */
  offset = 0;

  constructor(world: Clock, life: Life) {
    this.#world = world;
    this.#life = life;
  }

  now(): number {
    return this.#world.now() + this.offset;
  }

  monotonic(): number {
    return this.#world.monotonic();
  }

  /** A sleep is as long as it is, however the clock is set meanwhile. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await this.#world.sleep(milliseconds, signal);
    await this.#life.step();
  }
}
