import type { Clock } from '../telemetry/clock.ts';
import { Turns } from '../telemetry/turns.ts';
import type { Reconciled } from './reconciled.ts';

/** Milliseconds until what was busy is looked at again; longer each time, since most work takes either moments or minutes. */
const busyFirst = 250;
const busyMost = 5_000;
/** Keys that are worked on at a time: after an outage thousands may come at once, and each call takes connections that others want too. */
const atOnce = 16;

/**
 * Runs a function for keys, one call at a time per key and few at a time in all: adding a key while it runs makes it run once more afterwards,
 * however often it was added. A call that throws or finds its key busy is tried again with back-off, since the next event may never come.
 */
export class KeyedQueue {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #work: (key: string) => Promise<Reconciled>;
  readonly #dirty = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #turns = new Turns(atOnce);

  constructor(clock: Clock, signal: AbortSignal, work: (key: string) => Promise<Reconciled>) {
    this.#clock = clock;
    this.#signal = signal;
    this.#work = work;
  }

  add(key: string): void {
    if (this.#signal.aborted) return;
    this.#dirty.add(key);
    if (this.#running.has(key)) return;
    this.#running.set(key, this.#run(key));
  }

  /** Resolves when nothing runs any more. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }

  async #run(key: string): Promise<void> {
    let failures = 0;
    let busy = 0;
    while (this.#dirty.has(key) && !this.#signal.aborted) {
      try {
        const reconciled = await this.#inTurn(key);
        failures = 0;
        busy = reconciled === 'busy' ? busy + 1 : 0;
        if (busy === 0) continue;
        this.#dirty.add(key);
        await this.#clock.sleep(Math.min(busyFirst * 2 ** (busy - 1), busyMost), this.#signal);
      } catch {
        failures += 1;
        this.#dirty.add(key);
        await this.#clock.sleep(Math.min(500 * 2 ** failures, 30_000), this.#signal);
      }
    }
    // In the same turn as the last look at what is dirty: what is added from now on runs anew.
    this.#running.delete(key);
  }

  /** Whoever sleeps holds no turn. */
  #inTurn(key: string): Promise<Reconciled> {
    return this.#turns.run(async () => {
      if (this.#signal.aborted) return 'settled';
      this.#dirty.delete(key);
      return await this.#work(key);
    });
  }
}
