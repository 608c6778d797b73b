import type { Clock } from '../telemetry/clock.ts';

/** Looks that fall due closer together are made at once, in milliseconds; no row is looked at more often. */
const grain = 1_000;
/** A wait is cut here, in milliseconds: the machine's time may be set, and timers hold 24 days. */
const longestWait = 60_000;

/** Looks at rows at the times that were appointed for them: one time a row at most, one timer for all. */
export class AppointedLooks {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #look: (uuid: string) => void;
  /** By uuid, epoch milliseconds. */
  readonly #times = new Map<string, number>();
  /** When the timer wakes; infinite where nothing is appointed. */
  #wakesAt = Number.POSITIVE_INFINITY;
  #timer = new AbortController();

  constructor(clock: Clock, signal: AbortSignal, look: (uuid: string) => void) {
    this.#clock = clock;
    this.#signal = signal;
    this.#look = look;
  }

  /** In place of what was appointed for it before. `at`: epoch milliseconds; `null` = not at all. */
  appoint(uuid: string, at: number | null): void {
    if (at === null) {
      this.#times.delete(uuid);
      return;
    }
    const time = Math.ceil(Math.max(at, this.#clock.now() + 1) / grain) * grain;
    this.#times.set(uuid, time);
    if (time < this.#wakesAt) this.#wait(time);
  }

  #wait(time: number): void {
    this.#timer.abort();
    const timer = new AbortController();
    this.#timer = timer;
    const now = this.#clock.now();
    this.#wakesAt = Math.min(time, now + longestWait);
    const over = AbortSignal.any([this.#signal, timer.signal]);
    void this.#clock.sleep(this.#wakesAt - now, over).then(() => {
      if (!over.aborted) this.#wake();
    });
  }

  #wake(): void {
    const now = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    const due: string[] = [];
    for (const [uuid, time] of this.#times) {
      if (time <= now) due.push(uuid);
      else next = Math.min(next, time);
    }
    this.#wakesAt = Number.POSITIVE_INFINITY;
    for (const uuid of due) this.#times.delete(uuid);
    if (next < Number.POSITIVE_INFINITY) this.#wait(next);
    for (const uuid of due) this.#look(uuid);
  }
}
