import type { Queries } from '../db/database.ts';
import { isUniqueViolation } from '../db/unique-violation.ts';

/** A row of `openkeel_lease` as it was read or written. */
export interface Lease {
  name: string;
  /** Who leads; `null` = it was given back. */
  holder: string | null;
  /** Grows whenever somebody takes it. */
  term: number;
  /** Grows while the holder lives. */
  renewals: number;
  /** So long, in milliseconds, others wait for the next renewal before they take it. */
  durationMs: number;
}

export async function readLease(queries: Queries, name: string): Promise<Lease | null> {
  const row = await queries.selectFrom('openkeel_lease').selectAll().where('name', '=', name).executeTakeFirst();
  if (!row) return null;
  return { name, holder: row.holder, term: row.term, renewals: Number(row.renewals), durationMs: row.duration_ms };
}

/** How often each lease was renewed whose name begins so, by the rest of its name. One query. */
export async function renewalsOf(queries: Queries, prefix: string): Promise<Map<string, number>> {
  const rows = await queries.selectFrom('openkeel_lease').select(['name', 'renewals']).where('name', 'like', `${prefix}%`).execute();
  return new Map(rows.map(({ name, renewals }) => [name.slice(prefix.length), Number(renewals)]));
}

/**
 * Takes the lease if it is still as it was seen (`null` = there was none); `null` when somebody else was faster. Whether it may be taken
 * is the caller's to judge. `now` is for people who read the table.
 */
export async function takeLease(
  queries: Queries,
  seen: Lease | null,
  taker: { name: string; holder: string; durationMs: number },
  now: number,
): Promise<Lease | null> {
  const taken: Lease = { ...taker, term: (seen?.term ?? 0) + 1, renewals: (seen?.renewals ?? 0) + 1 };
  const { holder, term, renewals } = taken;
  const row = { holder, term, renewals, duration_ms: taken.durationMs, renewed_at: now };
  if (seen === null) {
    const inserting = queries.insertInto('openkeel_lease').values({ name: taken.name, ...row });
    return inserting.execute().then(
      () => taken,
      (error) => {
        if (isUniqueViolation(error)) return null;
        throw error;
      },
    );
  }
  const { numUpdatedRows } = await queries
    .updateTable('openkeel_lease')
    .set(row)
    .where('name', '=', taken.name)
    .where('term', '=', seen.term)
    .where('renewals', '=', seen.renewals)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? taken : null;
}

/** Says that the holder lives; `false` when another has the lease. A process is known by its term, since a name may come again. */
export async function renewLease(queries: Queries, { name, holder, term }: Lease, now: number): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('openkeel_lease')
    .set((row) => ({ renewals: row('renewals', '+', 1), renewed_at: now }))
    .where('name', '=', name)
    .where('holder', '=', holder)
    .where('term', '=', term)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Gives the lease back, so that nobody has to wait; nothing happens when another has it. */
export async function giveBackLease(queries: Queries, { name, holder, term }: Lease, now: number): Promise<void> {
  await queries
    .updateTable('openkeel_lease')
    .set((row) => ({ holder: null, renewals: row('renewals', '+', 1), renewed_at: now }))
    .where('name', '=', name)
    .where('holder', '=', holder)
    .where('term', '=', term)
    .execute();
}
