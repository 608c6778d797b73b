import type { Selectable, Updateable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Schema } from '../../db/schema.generated.ts';
import type { WatchedService } from '../../sync/host-watch.ts';
import { databaseTime, fromDatabaseTime } from '../../telemetry/database-time.ts';

export type ServiceRow = Selectable<Schema['zun_service']>;

/** All services, oldest first; `sortKey` is one of `serviceColumns`. */
export async function listServices(queries: Queries, sortKey = 'id', sortDirection: 'asc' | 'desc' = 'asc'): Promise<ServiceRow[]> {
  const ordered = queries
    .selectFrom('zun_service')
    .selectAll()
    .orderBy(sortKey as keyof ServiceRow, sortDirection);
  return ordered.orderBy('id', sortDirection).execute();
}

/** The services by which nodes say that they live: one a host. One query. */
export async function nodeServices(queries: Queries): Promise<WatchedService[]> {
  const rows = await queries.selectFrom('zun_service').selectAll().where('binary', '=', 'zun-compute').orderBy('id').execute();
  return rows.map((row) => ({
    host: row.host ?? '',
    signs: row.report_count ?? 0,
    forcedDown: Boolean(row.forced_down),
    lastSeenUp: fromDatabaseTime(row.last_seen_up),
    updatedAt: fromDatabaseTime(row.updated_at),
    createdAt: fromDatabaseTime(row.created_at),
  }));
}

/** Columns that a list may be sorted by. */
export const serviceColumns: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'updated_at',
  'report_count',
  'host',
  'binary',
  'disabled',
  'disabled_reason',
  'last_seen_up',
  'forced_down',
  'availability_zone',
]);

export async function findService(queries: Queries, host: string, binary: string): Promise<ServiceRow | undefined> {
  return queries.selectFrom('zun_service').selectAll().where('host', '=', host).where('binary', '=', binary).executeTakeFirst();
}

/** `false` when there is no such service. */
export async function updateService(
  queries: Queries,
  host: string,
  binary: string,
  changes: Updateable<Schema['zun_service']>,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('zun_service')
    .set({ ...changes, updated_at: databaseTime(now) })
    .where('host', '=', host)
    .where('binary', '=', binary)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** `false` when there is no such service. */
export async function deleteService(queries: Queries, host: string, binary: string): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('zun_service')
    .where('host', '=', host)
    .where('binary', '=', binary)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * A sign of life: counts it and notes the time; the first one makes the row. Leaves `disabled` and `forced_down` alone, which are
 * the operator's. Call it in a transaction. Origin: zun/service/manager (report_state_up), zun/db/sqlalchemy/api.py (update_zun_service).
 */
export async function reportService(
  queries: Queries,
  service: { host: string; binary: string; availabilityZone: string },
  now: number,
): Promise<ServiceRow> {
  const { host, binary, availabilityZone } = service;
  const at = databaseTime(now);
  const { numUpdatedRows } = await queries
    .updateTable('zun_service')
    .set((row) => ({
      report_count: row('report_count', '+', 1),
      last_seen_up: at,
      updated_at: at,
      availability_zone: availabilityZone,
    }))
    .where('host', '=', host)
    .where('binary', '=', binary)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    const row = {
      host,
      binary,
      availability_zone: availabilityZone,
      report_count: 1,
      disabled: 0,
      forced_down: 0,
      last_seen_up: at,
      created_at: at,
    };
    await queries.insertInto('zun_service').values(row).execute();
  }
  return queries.selectFrom('zun_service').selectAll().where('host', '=', host).where('binary', '=', binary).executeTakeFirstOrThrow();
}
