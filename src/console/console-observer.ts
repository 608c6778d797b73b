import type { RefusalReason } from './refusal.ts';

/**
 * How an open console ended: `target-closed`, its process has; `client-closed`, whoever had it open has left it; `client-lost`, nobody
 * answers any more; `idle`, nothing moved for too long; `runtime-lost`, the way to the process is; `stopped`, this program ends.
 */
export type ConsoleOutcome = 'target-closed' | 'client-closed' | 'client-lost' | 'idle' | 'runtime-lost' | 'stopped';

/** The seam for metrics. May not throw. */
export interface ConsoleObserver {
  /** One is asked for and not opened. */
  refused?(reason: RefusalReason): void;
  opened?(): void;
  /** Bytes to and from the process. */
  ended?(end: { outcome: ConsoleOutcome; bytesIn: number; bytesOut: number }): void;
}
