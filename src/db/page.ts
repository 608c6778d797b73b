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
 * NULL sorts lowest, as on MariaDB and SQLite; PostgreSQL has to be told. The tie breaker is never NULL and is not said to be, so that
 * its index serves. Origin: oslo_db.sqlalchemy.utils, paginate_query.
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
  if (page.sortKey === tieBreaker) {
    const further = ascending ? '>' : '<';
    const filtered = marker ? query.where(tie, further, marker.tie as never) : query;
    return filtered.orderBy(tie, page.sortDirection).limit(page.limit);
  }
  const filtered = marker ? query.where((builder) => beyond(builder, key, tie, marker, ascending)) : query;
  return filtered
    .orderBy(key, (order) => (ascending ? order.asc().nullsFirst() : order.desc().nullsLast()))
    .orderBy(tie, page.sortDirection)
    .limit(page.limit);
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
