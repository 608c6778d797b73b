import type { ContainerRuntime, WorkloadObservation } from '../runtime/container-runtime.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import { KeyedQueue } from './keyed-queue.ts';
import type { Reconciled } from './reconciled.ts';
import type { SyncObserver } from './sync-observer.ts';

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
 * is concluded from a listing alone: each difference is looked at again before it is written. A listing that fails, or an
 * engine that does not answer, changes no row.
 */
export function startStateSync(options: StateSyncOptions): StateSync {
  const stopping = new AbortController();
  const queue = new KeyedQueue(options.clock, stopping.signal, async (uuid) => {
    try {
      const reconciled = await options.reconcile(uuid);
      if (reconciled === 'settled') options.observer?.reconciled?.('done');
      return reconciled;
    } catch (error) {
      if (stopping.signal.aborted) return 'settled';
      options.observer?.reconciled?.('failed');
      options.logger.warn({ err: error, container: uuid }, 'the row could not be compared with the engine; it will be tried again');
      throw error;
    }
  });
  const listOnce = async () => {
    if (stopping.signal.aborted) return;
    const began = options.clock.now();
    const told = (outcome: 'done' | 'failed', differing: number) =>
      options.observer?.listed?.({ outcome, differing, milliseconds: options.clock.now() - began });
    try {
      const observations = await options.runtime.list(stopping.signal);
      const differing = await options.differing(observations);
      for (const uuid of differing) queue.add(uuid);
      told('done', differing.length);
    } catch (error) {
      if (stopping.signal.aborted) return;
      told('failed', 0);
      options.logger.warn({ err: error }, 'the engine could not be listed; rows stay as they are');
    }
  };
  const first = Promise.withResolvers<void>();
  const listings = oneAtATime(listOnce);
  const list = () => {
    const listing = listings();
    void listing.then(first.resolve);
    return listing;
  };
  const listing = listFor(options, stopping.signal, first.promise, list);
  const following = followEvents(options, stopping.signal, queue, list);
  return {
    firstListing: first.promise,
    touch: (uuid) => queue.add(uuid),
    async stop() {
      stopping.abort();
      first.resolve();
      await Promise.allSettled([listing, following, queue.drained()]);
      await list();
    },
  };
}

/** Of the calls that come while one is under way the first waits for its end, and stands for the others. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= last = last.then(() => {
      next = null;
      return work();
    });
    return next;
  };
}

async function listFor(options: StateSyncOptions, signal: AbortSignal, first: Promise<void>, list: () => Promise<void>): Promise<void> {
  await first;
  while (!signal.aborted) {
    await options.clock.sleep(options.listInterval, signal);
    if (!signal.aborted) await list();
  }
}

/** Rows are listed without the stream when it is not there after so long, in milliseconds. */
const patience = 5_000;

/**
 * Follows the engine's events. They are not replayed, so rows are listed each time that the stream is there (again); and at first also when
 * it cannot be had.
 */
async function followEvents(options: StateSyncOptions, signal: AbortSignal, queue: KeyedQueue, list: () => Promise<void>): Promise<void> {
  let pause = 200;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const opening = new AbortController();
    const opened = () => {
      opening.abort();
      void list();
    };
    void options.clock.sleep(patience, AbortSignal.any([signal, opening.signal])).then(() => {
      if (!signal.aborted && !opening.signal.aborted) void list();
    });
    try {
      for await (const event of options.runtime.events(signal, opened)) {
        pause = 200;
        options.observer?.eventSeen?.();
        queue.add(event.uuid);
      }
    } catch (error) {
      if (signal.aborted) break;
      options.logger.warn({ err: error }, 'the event stream broke; following again');
    }
    if (attempt === 0 && !opening.signal.aborted) void list();
    opening.abort();
    if (!signal.aborted) options.observer?.streamBroke?.();
    await options.clock.sleep(pause, signal);
    pause = Math.min(pause * 2, 10_000);
  }
}
