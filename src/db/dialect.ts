import type { Dialect as KyselyDialect } from 'kysely';
import type { TableSyntax } from './create-table.ts';
import { sqliteDialect } from './sqlite-driver.ts';

/** Everything that differs between the databases. */
export interface Dialect {
  name: 'sqlite' | 'mariadb' | 'postgresql';
  kysely: KyselyDialect;
  tables: TableSyntax;
}

/** `path` may be `:memory:`. */
export function sqlite(path: string): Dialect {
  return { name: 'sqlite', kysely: sqliteDialect(path), tables: sqliteTables };
}

const columnTypes: Record<string, string> = { TINYINT: 'BOOLEAN', MEDIUMTEXT: 'TEXT' };

const sqliteTables: TableSyntax = {
  serial: 'INTEGER',
  // Names match whatever their case, as on MariaDB, where clients meet Zun; the own tables hold only ids.
  columnType(type, table) {
    const own = table.startsWith('openkeel_');
    return `${columnTypes[type] ?? type}${!own && /^(VARCHAR|TEXT)/.test(type) ? ' COLLATE NOCASE' : ''}`;
  },
  columnDefault: (value) => value,
  constraintName: (_table, name) => name,
  indexName: (table, name) => (name.startsWith(table) ? name : `${table}_${name}`),
  options: () => '',
  indexesWithTable: false,
};
