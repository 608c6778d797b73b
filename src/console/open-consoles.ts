import type { Queries } from '../db/database.ts';
import { consoleSizes, keepConsoles } from '../features/consoles/console-store.ts';
import type { TerminalSize } from '../runtime/console.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ConsoleSession } from './console-session.ts';
import { keptMilliseconds } from './open-promised.ts';

export interface OpenConsolesOptions {
  queries: Queries;
  clock: Clock;
  logger: Logger;
}

/** A new size of a terminal is seen within this time: one query for all that are open, none while none is. */
const roundMilliseconds = 250;
const keepMilliseconds = 60_000;

interface Entry {
  session: ConsoleSession;
  /** As it was last told. */
  size: TerminalSize | null;
  /** One after the other: the last that was asked for is the last that counts. */
  resizing: Promise<void>;
}

/** The open consoles of this process: looks after all of them at once. */
export class OpenConsoles {
  readonly #options: OpenConsolesOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #stopping = new AbortController();
  #rounds: Promise<void> | null = null;
  #asking: Promise<void> | null = null;
  #lastKept = 0;
  #isDatabaseAway = false;

  constructor(options: OpenConsolesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  get sessions(): ConsoleSession[] {
    return [...this.#entries.values()].map(({ session }) => session);
  }

  /** From now on; `id` is its row's, `size` what was asked for before it was open. */
  add(id: string, session: ConsoleSession, size: TerminalSize | null): void {
    this.#entries.set(id, { session, size: null, resizing: Promise.resolve() });
    if (size) this.#resize(id, size);
    this.#rounds ??= this.#goRound();
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }

  /** Nothing is asked of the database any more when this resolves. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#rounds;
    await this.#asking;
  }

  async #goRound(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    this.#lastKept = clock.monotonic();
    for (;;) {
      await clock.sleep(roundMilliseconds, signal);
      if (signal.aborted || this.#entries.size === 0) break;
      for (const { session } of this.#entries.values()) session.tick();
      // Consoles go on without the database: nothing of them waits for it.
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = null;
      });
    }
    this.#rounds = null;
  }

  async #ask(): Promise<void> {
    const { queries, clock, logger } = this.#options;
    const ids = [...this.#entries.keys()];
    try {
      for (const [id, size] of await consoleSizes(queries, ids)) this.#resize(id, size);
      if (clock.monotonic() - this.#lastKept >= keepMilliseconds) {
        await keepConsoles(queries, ids, clock.now() + keptMilliseconds);
        this.#lastKept = clock.monotonic();
      }
      this.#isDatabaseAway = false;
    } catch (error) {
      if (!this.#isDatabaseAway) logger.warn({ err: error }, 'new sizes of consoles cannot be looked for; they go on without');
      this.#isDatabaseAway = true;
    }
  }

  #resize(id: string, size: TerminalSize): void {
    const entry = this.#entries.get(id);
    if (!entry || (entry.size?.width === size.width && entry.size.height === size.height)) return;
    entry.size = size;
    entry.resizing = entry.resizing.then(() => entry.session.resize(size));
  }
}
