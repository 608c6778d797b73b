import type { LeaseTimes } from '../../../src/sync/lead.ts';

/** Short, so that a test need not wait long. */
export const leaderTimes: LeaseTimes = { duration: 3_000, renewal: 500, patience: 1_500 };
