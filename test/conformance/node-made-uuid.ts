import type { RecordedResponse } from './record.ts';

/** Calls by which the original let a node make a row. */
const making = new Set(['container_commit', 'network_create']);

/** The pointer to a uuid in the answer that a node had chosen: as volatile as the others, but constant in a fake. */
export function nodeMadeUuid(response: RecordedResponse, calls: { method: string; returns?: unknown }[]): string[] {
  const { uuid } = (response.json ?? {}) as { uuid?: unknown };
  const isMade = calls.some(({ method, returns }) => {
    const row = (returns ?? {}) as { uuid?: unknown; fields?: { uuid?: unknown } };
    return making.has(method) && uuid !== undefined && (row.uuid === uuid || row.fields?.uuid === uuid);
  });
  return isMade ? ['/response/json/uuid'] : [];
}
