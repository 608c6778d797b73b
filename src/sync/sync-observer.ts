import type { StreamHappening } from '../runtime/container-runtime.ts';

/**
 * Why all is listed: this process began to follow, it is time, the stream of events is there again after a lost connection or after it could not
 * go on from where it was (`expired`), or it cannot be had (`no-stream`).
 */
export type ListingCause = 'start' | 'periodic' | 'reconnected' | 'expired' | 'no-stream';

/** What state sync does, as it happens: the seam for metrics and tests. None may throw; none is waited for. */
export interface SyncObserver {
  /** A complete listing ended; `differing` rows are to be reconciled. */
  listed?(listing: { cause: ListingCause; outcome: 'done' | 'failed'; milliseconds: number; differing: number }): void;
  /** The engine told of a change: `start`, `die`, …. */
  eventSeen?(action: string): void;
  /** `left`: this process follows no longer. */
  streamMet?(happening: StreamHappening | 'left'): void;
  /** The stream of events broke, or ended. */
  streamBroke?(): void;
  /** This process begins or ends to lead. `term` grows with each leader of the lease. */
  leads?(lease: string, term: number, begins: boolean): void;
  /** Hosts of which nothing is heard, or that an administrator has declared down. */
  hostsLost?(count: number): void;
  /** One row was compared with the engine, and written if it differed. */
  reconciled?(outcome: 'done' | 'failed'): void;
}
