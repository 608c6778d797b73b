import type { ContainerRuntime, WorkloadObservation } from '../runtime/container-runtime.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import { AppointedLooks } from './appointed-looks.ts';
import { followEvents } from './follow-events.ts';
import { KeyedQueue } from './keyed-queue.ts';
import type { Reconciled } from './reconciled.ts';
import type { ListingCause, SyncObserver } from './sync-observer.ts';

export interface StateSyncOptions {
  runtime: ContainerRuntime;
  /** Brings one row in line with the engine; may be called again at any time. */
  reconcile(uuid: string): Promise<Reconciled>;
  /** UUIDs of rows that differ from this complete list, to be reconciled one by one. */
  differing(observations: WorkloadObservation[]): Promise<string[]>;
  clock: Clock;
  logger: Logger;
  /** Between complete listings, in milliseconds. */
  listInterval: number;
  observer?: SyncObserver;
}

export interface StateSync {
  /** Resolves when the first listing was worked off, or failed. */
  firstListing: Promise<void>;
  /** Brings one row in line soon. */
  touch(uuid: string): void;
  stop(): Promise<void>;
}

/**
 * Keeps rows true: an event reconciles its container at once, a listing from time to time finds what events missed. Nothing
 * is concluded from a listing alone: each difference is looked at again before it is written. What time alone changes, such as a health check that
 * is never passed, is looked at when its time has come. A listing that fails, or an engine that does not answer, changes no row.
 */
export function startStateSync(options: StateSyncOptions): StateSync {
  const stopping = new AbortController();
  const queue = new KeyedQueue(options.clock, stopping.signal, async (uuid) => {
    try {
      const reconciled = await options.reconcile(uuid);
      if (reconciled === 'busy') return reconciled;
      options.observer?.reconciled?.('done');
      looks.appoint(uuid, reconciled === 'settled' ? null : reconciled.lookAgainAt);
      return reconciled;
    } catch (error) {
      if (stopping.signal.aborted) return 'settled';
      options.observer?.reconciled?.('failed');
      options.logger.warn({ err: error, container: uuid }, 'the row could not be compared with the engine; it will be tried again');
      throw error;
    }
  });
  const looks = new AppointedLooks(options.clock, stopping.signal, (uuid) => queue.add(uuid));
  const listOnce = async (cause: ListingCause) => {
    if (stopping.signal.aborted) return;
    const began = options.clock.now();
    const told = (outcome: 'done' | 'failed', differing: number) =>
      options.observer?.listed?.({ cause, outcome, differing, milliseconds: options.clock.now() - began });
    try {
      const observations = await options.runtime.list(stopping.signal);
      const differing = await options.differing(observations);
      for (const uuid of differing) queue.add(uuid);
      // What is not said here is no longer so, or was not yet so when it was listed: who looked at one row knows better.
      for (const { uuid, changesAt } of observations) if (changesAt !== undefined) looks.appoint(uuid, changesAt);
      told('done', differing.length);
    } catch (error) {
      if (stopping.signal.aborted) return;
      told('failed', 0);
      options.logger.warn({ err: error }, 'the engine could not be listed; rows stay as they are');
    }
  };
  const first = Promise.withResolvers<void>();
  const listings = oneAtATime(listOnce);
  const list = (cause: ListingCause) => {
    const listing = listings(cause);
    void listing.then(first.resolve);
    return listing;
  };
  const listing = listFor(options, stopping.signal, first.promise, list);
  const touch = (uuid: string) => queue.add(uuid);
  const following = followEvents({ ...options, list, touch }, stopping.signal);
  return {
    firstListing: first.promise,
    touch,
    async stop() {
      stopping.abort();
      first.resolve();
      await Promise.allSettled([listing, following, queue.drained()]);
      await listings('periodic');
    },
  };
}

/** Of the calls that come while one is under way the first waits for its end, and stands for the others. */
function oneAtATime(work: (cause: ListingCause) => Promise<void>): (cause: ListingCause) => Promise<void> {
  let last = Promise.resolve();
  let next: Promise<void> | null = null;
  return (cause) => {
    next ??= last = last.then(() => {
      next = null;
      return work(cause);
    });
    return next;
  };
}

async function listFor(
  options: StateSyncOptions,
  signal: AbortSignal,
  first: Promise<void>,
  list: (cause: ListingCause) => Promise<void>,
): Promise<void> {
  await first;
  while (!signal.aborted) {
    await options.clock.sleep(options.listInterval, signal);
    if (!signal.aborted) await list('periodic');
  }
}
