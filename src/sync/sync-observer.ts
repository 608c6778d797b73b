/** What state sync does, as it happens: the seam for metrics and tests. None may throw; none is waited for. */
export interface SyncObserver {
  /** A complete listing ended; `differing` rows are to be reconciled. */
  listed?(listing: { outcome: 'done' | 'failed'; milliseconds: number; differing: number }): void;
  /** The engine told of a change. */
  eventSeen?(): void;
  /** The stream of events broke, or ended. */
  streamBroke?(): void;
  /** This process begins or ends to lead. `term` grows with each leader of the lease. */
  leads?(lease: string, term: number, begins: boolean): void;
  /** Hosts of which nothing is heard, or that an administrator has declared down. */
  hostsLost?(count: number): void;
  /** One row was compared with the engine, and written if it differed. */
  reconciled?(outcome: 'done' | 'failed'): void;
}
