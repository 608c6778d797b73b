import type { Insertable } from 'kysely';
import type { Queries } from './database.ts';
import type { Schema } from './schema.generated.ts';

/** Tables whose key `id` the database counts up. */
type Counted = 'container' | 'container_actions' | 'volume';

/**
 * Inserts a row and answers the `id` it got. PostgreSQL tells it only to RETURNING, MySQL only in the reply to INSERT; one statement
 * either way.
 */
export async function insertReturningId<Table extends Counted>(
  queries: Queries,
  table: Table,
  values: Insertable<Schema[Table]>,
): Promise<number> {
  const insert = queries.insertInto(table as 'container').values(values as Insertable<Schema['container']>);
  if (queries.getExecutor().adapter.supportsReturning) return (await insert.returning('id').executeTakeFirstOrThrow()).id;
  return Number((await insert.executeTakeFirstOrThrow()).insertId);
}
