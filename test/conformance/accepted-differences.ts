import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Outcome } from './outcome.ts';

/** `defect`: of the original, not copied. `node`: what the replaced node side changes. `other`: anything else; the aim is none. */
export const differenceKinds = ['defect', 'node', 'other'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** How one record may differ: our status, and the places. Absent members may be anything. */
export interface AcceptedRecord {
  status?: number;
  at?: string[];
}

/** An entry of `contract/differences.yaml`. Records are named `probe:create-full`; `vector:pci/*` are all of a family. */
export interface AcceptedDifference {
  kind: DifferenceKind;
  what: string;
  why: string;
  records: Record<string, AcceptedRecord>;
}

/** Reads and checks the list; throws with the entry that is not as it should be. */
export function readAcceptedDifferences(file: string): AcceptedDifference[] {
  const entries: unknown = parse(readFileSync(file, 'utf8')) ?? [];
  if (!Array.isArray(entries)) throw new Error(`${file}: a list is expected`);
  const seen = new Set<string>();
  return entries.map((entry: Partial<AcceptedDifference>, index) => {
    const where = `${file}, entry ${index + 1}`;
    const { kind, what, why, records } = entry;
    if (!kind || !differenceKinds.includes(kind)) throw new Error(`${where}: kind is one of ${differenceKinds.join(', ')}`);
    if (typeof what !== 'string' || typeof why !== 'string' || typeof records !== 'object')
      throw new Error(`${where}: what, why and records are needed`);
    for (const record of Object.keys(records)) {
      if (seen.has(record)) throw new Error(`${where}: ${record} is listed twice`);
      seen.add(record);
    }
    return { kind, what, why, records: Object.fromEntries(Object.entries(records).map(([name, record]) => [name, record ?? {}])) };
  });
}

export const recordName = ({ kind, id }: Pick<Outcome, 'kind' | 'id'>): string => `${kind}:${id}`;

/** The name under which a record is listed: its own, or that of its family. */
export function listingOf(outcome: Outcome, records: ReadonlyMap<string, AcceptedRecord>): string | null {
  const own = recordName(outcome);
  const whole = own.replace(/\/\d+$/, '/*');
  return records.has(own) ? own : records.has(whole) ? whole : null;
}

/** Whether a record differs as it is listed, and no more. */
export function isAsListed(outcome: Outcome, { status, at }: AcceptedRecord): boolean {
  if (status !== undefined && status !== outcome.status) return false;
  return at === undefined || placesOf(outcome).join('\n') === [...at].sort().join('\n');
}

export const placesOf = (outcome: Outcome): string[] => [...new Set(outcome.differences.map(({ place }) => place))].sort();
