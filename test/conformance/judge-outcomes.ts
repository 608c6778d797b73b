import { type AcceptedDifference, type AcceptedRecord, isAsListed, listingOf } from './accepted-differences.ts';
import { isMet, type Outcome, type RecordKind } from './outcome.ts';

export interface Verdict {
  counts: Record<RecordKind, { met: number; total: number }>;
  /** Records that differ and are not listed, or not so. */
  unlisted: Outcome[];
  /** Names in the list of records that no longer differ. */
  stale: string[];
  /** Every record that differs as it is listed, by the name it is listed under. */
  listed: Map<string, Outcome[]>;
}

/**
 * Holds the outcomes against the list. `isWhole` = these are all the records of `contract/`: then a listed name that no record has is
 * stale too, and defects of the original must be listed even where they are answered properly.
 */
export function judgeOutcomes(outcomes: Outcome[], accepted: AcceptedDifference[], isWhole: boolean): Verdict {
  const records = new Map<string, AcceptedRecord>(accepted.flatMap((entry) => Object.entries(entry.records)));
  const verdict: Verdict = {
    counts: { exchange: { met: 0, total: 0 }, probe: { met: 0, total: 0 }, vector: { met: 0, total: 0 } },
    unlisted: [],
    stale: [],
    listed: new Map(),
  };
  const same = new Set<string>();
  for (const outcome of outcomes) {
    const count = verdict.counts[outcome.kind];
    count.total += 1;
    if (isMet(outcome)) count.met += 1;
    const listing = listingOf(outcome, records);
    if (outcome.differences.length === 0) {
      if (listing) same.add(listing);
    } else if (listing && isAsListed(outcome, records.get(listing) ?? {})) {
      verdict.listed.set(listing, [...(verdict.listed.get(listing) ?? []), outcome]);
    } else if (listing || !outcome.properRefusal || (isWhole && outcome.kind !== 'vector')) {
      verdict.unlisted.push(outcome);
    }
  }
  const wronglyListed = new Set(verdict.unlisted.map((outcome) => listingOf(outcome, records)));
  for (const name of records.keys()) {
    const isGone = !verdict.listed.has(name) && !wronglyListed.has(name);
    if (isGone && (isWhole || same.has(name))) verdict.stale.push(name);
  }
  return verdict;
}
