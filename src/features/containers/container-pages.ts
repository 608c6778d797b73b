import type { Queries } from '../../db/database.ts';
import { type Container, containerTypes } from './container.ts';
import { containerFromRow } from './container-row.ts';

/** Rows of a page. */
const pageSize = 500;

/**
 * The containers of a host, of all hosts for `null`, page by page, so that ten thousand are never in memory at once: each once, whatever
 * comes and goes meanwhile. One query a page.
 */
export async function* containerPages(queries: Queries, host: string | null): AsyncGenerator<Container[]> {
  for (let last = 0; ; ) {
    // One that is not placed yet has no workload.
    const ofHost = queries.selectFrom('container').where('host', host === null ? 'is not' : '=', host);
    const rows = await ofHost
      .selectAll()
      .where('container_type', '=', containerTypes.container)
      .where('id', '>', last)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    if (rows.length > 0) yield rows.map(containerFromRow);
    if (rows.length < pageSize) return;
    last = rows.at(-1)?.id ?? last;
  }
}
