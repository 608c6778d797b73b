import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Schema } from './schema.generated.ts';

export interface Page {
  limit: number;
  /** Column of the table; ties are broken by `tieBreaker`. */
  sortKey: string;
  sortDirection: 'asc' | 'desc';
}

/** The row after which the page begins: its values of sort key and tie breaker. */
export interface PageMarker {
  key: unknown;
  tie: unknown;
}

/**
 * Orders a query and cuts one page out of it after the marker, without reading what comes before.
 * NULL sorts lowest, as on MariaDB and SQLite. Origin: oslo_db.sqlalchemy.utils, paginate_query.
 */
export function paginate<Table extends keyof Schema, Output>(
  query: SelectQueryBuilder<Schema, Table, Output>,
  page: Page,
  marker: PageMarker | null,
  tieBreaker = 'id',
): SelectQueryBuilder<Schema, Table, Output> {
  const key = page.sortKey as never;
  const tie = tieBreaker as never;
  const ascending = page.sortDirection === 'asc';
  const filtered = marker ? query.where((builder) => beyond(builder, key, tie, marker, ascending)) : query;
  const ordered = filtered.orderBy(key, page.sortDirection);
  return (page.sortKey === tieBreaker ? ordered : ordered.orderBy(tie, page.sortDirection)).limit(page.limit);
}

function beyond<Table extends keyof Schema>(
  builder: ExpressionBuilder<Schema, Table>,
  key: never,
  tie: never,
  marker: PageMarker,
  ascending: boolean,
): Expression<SqlBool> {
  const further = ascending ? '>' : '<';
  const tied = builder(tie, further, marker.tie as never);
  if (marker.key === null) {
    const sameNull = builder.and([builder(key, 'is', null as never), tied]);
    return ascending ? builder.or([builder(key, 'is not', null as never), sameNull]) : sameNull;
  }
  const alternatives = [builder(key, further, marker.key as never), builder.and([builder(key, '=', marker.key as never), tied])];
  return builder.or(ascending ? alternatives : [...alternatives, builder(key, 'is', null as never)]);
}
