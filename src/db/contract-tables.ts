import { readFileSync } from 'node:fs';
import type { TableDescription } from './table-description.ts';

const tablesFile = new URL('../../contract/db/tables.json', import.meta.url);

/** The original's migrated schema (alembic head 3f2b36231bee), in an order that satisfies foreign keys. */
export function contractTables(): [string, TableDescription][] {
  const { tables }: { tables: Record<string, TableDescription> } = JSON.parse(readFileSync(tablesFile, 'utf8'));
  const ordered: [string, TableDescription][] = [];
  const placed = new Set<string>();
  const place = (name: string) => {
    const table = tables[name];
    if (placed.has(name) || !table) return;
    placed.add(name);
    for (const key of table.foreign_keys) place(key.refers);
    ordered.push([name, table]);
  };
  Object.keys(tables).forEach(place);
  return ordered;
}
