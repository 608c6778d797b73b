import { type Kysely, sql } from 'kysely';
import type { TableDescription } from './table-description.ts';

/** What a dialect makes of a column type of the description. */
export interface TypeNames {
  typeName(type: string): string;
  /** The type of an integer key that the database counts up. */
  serial: string;
}

/** Creates a table and its indexes from its description. */
export async function createTable(db: Kysely<unknown>, name: string, table: TableDescription, types: TypeNames): Promise<void> {
  let builder = db.schema.createTable(name);
  const serialKey = serialColumn(table);
  for (const column of table.columns) {
    const type = column.name === serialKey ? types.serial : types.typeName(column.type);
    builder = builder.addColumn(column.name, sql.raw(type), (definition) => {
      const bounded = column.nullable ? definition : definition.notNull();
      return column.default === null ? bounded : bounded.defaultTo(sql.raw(column.default));
    });
  }
  if (table.primary_key.length > 0) builder = builder.addPrimaryKeyConstraint(`pk_${name}`, table.primary_key as never[]);
  for (const unique of table.unique) builder = builder.addUniqueConstraint(`${unique.name}`, unique.columns as never[]);
  for (const key of table.foreign_keys) {
    builder = builder.addForeignKeyConstraint(key.name, key.columns as never[], key.refers, key.referred_columns, (constraint) =>
      key.options.ondelete?.toUpperCase() === 'CASCADE' ? constraint.onDelete('cascade') : constraint,
    );
  }
  await builder.execute();
  const uniqueNames = new Set(table.unique.map((unique) => unique.name));
  for (const index of table.indexes.filter((candidate) => !uniqueNames.has(candidate.name))) {
    // Index names are per table on MariaDB and per schema on SQLite and PostgreSQL.
    const indexName = index.name.startsWith(name) ? index.name : `${name}_${index.name}`;
    const create = db.schema.createIndex(indexName).on(name).columns(index.columns);
    await (index.unique ? create.unique() : create).execute();
  }
}

function serialColumn(table: TableDescription): string | null {
  const [key, ...others] = table.primary_key;
  const column = table.columns.find((candidate) => candidate.name === key);
  return others.length === 0 && column?.type === 'INTEGER' && column.name === 'id' ? column.name : null;
}
