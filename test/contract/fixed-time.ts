import type { Ids } from '../../src/telemetry/ids.ts';

/** Counts up: `f0000000-0000-4000-8000-000000000001`, …; `below` is always 0. */
export function countedIds(): Ids {
  let last = 0;
  const uuid = () => {
    last += 1;
    return `f0000000-0000-4000-8000-${String(last).padStart(12, '0')}`;
  };
  return { uuid, requestId: () => `req-${uuid()}`, below: () => 0 };
}
