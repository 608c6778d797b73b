import type { Lease } from './lease-store.ts';

/**
 * Judges a lease that others hold by when it was last seen to change, on the observer's own clock: what time the holder's clock shows
 * does not count, nor what time ours is set to. So somebody who has just come waits for the whole duration. As client-go does it.
 */
export class LeaseWatch {
  #seen: { term: number; renewals: number; at: number } | null = null;

  /** Whether the lease, as it was read at that time of `Clock.monotonic`, may be taken. */
  mayBeTaken(lease: Lease | null, at: number): boolean {
    if (lease === null || lease.holder === null) return true;
    const { term, renewals } = lease;
    if (this.#seen?.term !== term || this.#seen.renewals !== renewals) this.#seen = { term, renewals, at };
    return at - this.#seen.at >= lease.durationMs;
  }
}
