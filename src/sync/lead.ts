import type { Database } from '../db/database.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import { withDeadline } from '../telemetry/with-deadline.ts';
import { type Leadership, NotLeading } from './leadership.ts';
import { giveBackLease, type Lease, readLease, renewLease, takeLease } from './lease-store.ts';
import { LeaseWatch } from './lease-watch.ts';
import type { SyncObserver } from './sync-observer.ts';

/** In milliseconds; the same for all who may lead the same. */
export interface LeaseTimes {
  /** Others wait so long for a sign of the leader before one of them takes its place. */
  duration: number;
  /** Between two looks of those who wait, and two renewals. */
  renewal: number;
  /** A leader that could not renew for so long stops: well before others may begin. */
  patience: number;
}

/**
 * The 15 s between patience and duration are what a database server takes to end the transaction of a process that was stopped (10 s, see
 * `mariadb.ts` and `postgresql.ts`), and some for clocks that run at different speeds.
 */
export const leaseTimes: LeaseTimes = { duration: 30_000, renewal: 5_000, patience: 15_000 };

export interface LeadOptions {
  database: Database;
  clock: Clock;
  logger: Logger;
  observer?: SyncObserver;
  /** Of the lease: what is led. */
  name: string;
  /** Names this process, for people. */
  holder: string;
  times?: LeaseTimes;
  /** Does what only the leader does, until the signal aborts; does not throw. May be called again, after another led. */
  work(leadership: Leadership): Promise<void>;
}

/** Does the work while this process leads, and waits to lead while another does. `stop` gives the lease back. */
export function lead(options: LeadOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const leading = campaign(options, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await leading;
    },
  };
}

async function campaign(options: LeadOptions, stopping: AbortSignal): Promise<void> {
  const { database, clock, logger, name, holder, times = leaseTimes } = options;
  const watch = new LeaseWatch();
  while (!stopping.aborted) {
    try {
      const seen = await readLease(database.queries, name);
      if (watch.mayBeTaken(seen, clock.monotonic())) {
        const asked = moment(clock);
        const held = await takeLease(database.queries, seen, { name, holder, durationMs: times.duration }, clock.now());
        if (held) await reign(options, held, asked, stopping);
      }
    } catch (error) {
      logger.warn({ err: error, lease: name }, 'the lease could not be read or taken');
    }
    await clock.sleep(times.renewal, stopping);
  }
}

/** Works until it is to stop, another has taken the lease, or it could not be renewed in time. */
async function reign(options: LeadOptions, held: Lease, asked: Moment, stopping: AbortSignal): Promise<void> {
  const { database, clock, logger, observer, name, times = leaseTimes } = options;
  const over = new AbortController();
  const right = new Right(options, times.patience, over.signal, asked);
  logger.info({ lease: name, term: held.term }, 'leads');
  observer?.leads?.(name, held.term, true);
  const working = options.work(right);
  let lost = false;
  while (!stopping.aborted && !lost && right.isFresh()) {
    await clock.sleep(times.renewal, stopping);
    if (stopping.aborted) break;
    const at = moment(clock);
    try {
      lost = !(await inTime(clock, times.renewal, renewLease(database.queries, held, clock.now())));
      if (!lost) right.renewedAt = at;
    } catch (error) {
      logger.warn({ err: error, lease: name }, 'the lease could not be renewed');
    }
  }
  over.abort();
  observer?.leads?.(name, held.term, false);
  logger.info({ lease: name, term: held.term, lost: lost || !right.isFresh() }, 'leads no longer');
  await working;
  if (!lost) await giveBackLease(database.queries, held, clock.now());
}

/** A database that does not answer is no reason to believe for longer than the patience that one leads. */
function inTime(clock: Clock, milliseconds: number, renewing: Promise<boolean>): Promise<boolean> {
  return withDeadline(clock, milliseconds, (expired) => {
    const late = new Promise<never>((_resolve, reject) => expired.addEventListener('abort', () => reject(expired.reason)));
    return Promise.race([renewing, late]);
  });
}

interface Moment {
  monotonic: number;
  wall: number;
}

const moment = (clock: Clock): Moment => ({ monotonic: clock.monotonic(), wall: clock.now() });

class Right implements Leadership {
  readonly signal: AbortSignal;
  /** When the last renewal that succeeded was asked for. */
  renewedAt: Moment;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #patience: number;

  constructor({ name, clock }: Pick<LeadOptions, 'name' | 'clock'>, patience: number, signal: AbortSignal, renewedAt: Moment) {
    this.#name = name;
    this.#clock = clock;
    this.#patience = patience;
    this.signal = signal;
    this.renewedAt = renewedAt;
  }

  /** By whichever clock has moved on more: of a machine that was suspended only one has. A clock that is set forward ends it too early, no harm. */
  isFresh(): boolean {
    const { monotonic, wall } = moment(this.#clock);
    return Math.max(monotonic - this.renewedAt.monotonic, wall - this.renewedAt.wall) < this.#patience;
  }

  require(): void {
    if (this.signal.aborted || !this.isFresh()) throw new NotLeading(this.#name);
  }
}
