import { CompiledQuery, type LogEvent } from 'kysely';
import type { DatabaseSource, TestDatabase } from './test-database.ts';

/** How a database would run a statement: what it reads whole, and its own words. */
export interface Plan {
  sql: string;
  /** Tables read without an index. */
  scanned: string[];
  text: string;
}

/** Asks a database for the plan of a statement that it ran. */
export async function planOf(kind: DatabaseSource['kind'], database: TestDatabase, event: LogEvent): Promise<Plan> {
  const { sql, parameters } = event.query;
  const prefix = { sqlite: 'explain query plan', mariadb: 'explain', postgresql: 'explain (format json)' }[kind];
  const { rows } = await database.queries.executeQuery<Record<string, unknown>>(CompiledQuery.raw(`${prefix} ${sql}`, [...parameters]));
  const text = JSON.stringify(rows);
  return { sql, scanned: { sqlite: sqliteScans, mariadb: mariadbScans, postgresql: postgresqlScans }[kind](rows), text };
}

/** `SCAN container` reads all of it; `SCAN container USING INDEX` all of an index. */
function sqliteScans(rows: Record<string, unknown>[]): string[] {
  return rows.flatMap(({ detail }) => /^SCAN (\w+)$/.exec(String(detail))?.[1] ?? []);
}

/** `ALL` reads the table, `index` the whole of an index; a table that is known to be empty or constant has no type. */
function mariadbScans(rows: Record<string, unknown>[]): string[] {
  return rows.flatMap((row) => (row.type === 'ALL' ? [String(row.table)] : []));
}

function postgresqlScans(rows: Record<string, unknown>[]): string[] {
  const scans: string[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) walk(item);
    else if (typeof node === 'object' && node !== null) {
      const plan = node as Record<string, unknown>;
      if (plan['Node Type'] === 'Seq Scan') scans.push(String(plan['Relation Name']));
      for (const value of Object.values(plan)) walk(value);
    }
  };
  walk(rows);
  return scans;
}
