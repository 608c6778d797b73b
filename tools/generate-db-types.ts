import { readFileSync, writeFileSync } from 'node:fs';
import { ownTables } from '../src/db/own-tables.ts';
import type { TableDescription } from '../src/db/table-description.ts';

/** Writes `src/db/schema.generated.ts` from `contract/db/tables.json` and the project's own tables. */
const contract: { tables: Record<string, TableDescription> } = JSON.parse(readFileSync('contract/db/tables.json', 'utf8'));

function typescriptType(sqlType: string): string {
  if (/^(INTEGER|BIGINT|FLOAT)/.test(sqlType)) return 'number';
  return 'string';
}

function rowType(name: string, table: TableDescription): string {
  const members = table.columns.map((column) => {
    if (column.type === 'TINYINT') return `    ${column.name}: Flag<${column.nullable ? 'null' : 'never'}>;`;
    const type = typescriptType(column.type) + (column.nullable ? ' | null' : '');
    const serial = table.primary_key.length === 1 && table.primary_key[0] === column.name && column.type === 'INTEGER';
    const optional = serial || column.default !== null || column.nullable;
    return `    ${column.name}: ${optional ? `Defaulted<${type}>` : type};`;
  });
  return `  ${name}: {\n${members.join('\n')}\n  };`;
}

const tables = { ...contract.tables, ...ownTables };
const text = `// Made by tools/generate-db-types.ts from contract/db/tables.json and src/db/own-tables.ts.
import type { ColumnType } from 'kysely';

/** A column that an insert may leave out. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** TINYINT(1) on MariaDB and SQLite, BOOLEAN on PostgreSQL: read with Boolean(). */
type Flag<Null> = ColumnType<number | boolean | Null, number | boolean | Null | undefined, number | boolean | Null>;

/** Rows as the drivers return them: times are \`YYYY-MM-DD HH:MM:SS[.ffffff]\` in UTC, JSON columns are text. */
export interface Schema {
${Object.entries(tables)
  .map(([name, table]) => rowType(name, table))
  .join('\n')}
}
`;
writeFileSync('src/db/schema.generated.ts', text);
