import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { TableDescription } from './table-description.ts';

/** What a database makes of a table's description. */
export interface TableSyntax {
  /** The type of an integer key that the database counts up. */
  serial: string;
  columnType(type: string, table: string): string;
  columnDefault(value: string, type: string): string;
  constraintName(table: string, name: string): string;
  /** Index names are per table on MariaDB and per schema elsewhere. */
  indexName(table: string, name: string): string;
  /** What follows the closing bracket. */
  options(table: string): string;
  /** Indexes are part of CREATE TABLE, so that a table is made whole or not at all where DDL is not transactional. */
  indexesWithTable: boolean;
}

/** Creates a table and its indexes from its description, unless it is there. */
export async function createTable(db: Kysely<unknown>, name: string, table: TableDescription, syntax: TableSyntax): Promise<void> {
  let builder: CreateTableBuilder<string, string> = withColumns(db.schema.createTable(name).ifNotExists(), name, table, syntax);
  if (table.primary_key.length > 0) builder = builder.addPrimaryKeyConstraint(`pk_${name}`, table.primary_key);
  for (const unique of table.unique) builder = builder.addUniqueConstraint(syntax.constraintName(name, unique.name), unique.columns);
  const indexes = ownIndexes(table);
  if (syntax.indexesWithTable) for (const index of indexes) builder = builder.addIndex(syntax.indexName(name, index.name), index.columns);
  for (const key of table.foreign_keys) {
    builder = builder.addForeignKeyConstraint(key.name, key.columns, key.refers, key.referred_columns, (constraint) =>
      key.options.ondelete?.toUpperCase() === 'CASCADE' ? constraint.onDelete('cascade') : constraint,
    );
  }
  const options = syntax.options(name);
  await (options ? builder.modifyEnd(sql.raw(options)) : builder).execute();
  if (syntax.indexesWithTable) return;
  for (const index of indexes) await createIndex(db, name, index, syntax);
}

/** ER_DUP_KEYNAME. */
const indexExists = 1061;

/** Creates one index, unless it is there. MySQL, unlike MariaDB, has no IF NOT EXISTS here. */
export async function createIndex(
  db: Kysely<unknown>,
  table: string,
  index: { name: string; columns: string[]; unique: boolean },
  syntax: TableSyntax,
): Promise<void> {
  const create = db.schema.createIndex(syntax.indexName(table, index.name)).on(table).columns(index.columns);
  const built = index.unique ? create.unique() : create;
  try {
    await (syntax.indexesWithTable ? built : built.ifNotExists()).execute();
  } catch (error) {
    if (!(error instanceof Error && 'errno' in error && error.errno === indexExists)) throw error;
  }
}

function withColumns(builder: CreateTableBuilder<string, string>, name: string, table: TableDescription, syntax: TableSyntax) {
  const serialKey = serialColumn(table);
  let result = builder;
  for (const column of table.columns) {
    const type = column.name === serialKey ? syntax.serial : syntax.columnType(column.type, name);
    result = result.addColumn(column.name, sql.raw(type), (definition) => {
      const bounded = column.nullable ? definition : definition.notNull();
      return column.default === null ? bounded : bounded.defaultTo(sql.raw(syntax.columnDefault(column.default, column.type)));
    });
  }
  return result;
}

/** What is not there already as a unique constraint; some of the original's are listed as both. */
function ownIndexes(table: TableDescription) {
  const uniqueNames = new Set(table.unique.map((unique) => unique.name));
  return table.indexes.filter((index) => !uniqueNames.has(index.name));
}

function serialColumn(table: TableDescription): string | null {
  const [key, ...others] = table.primary_key;
  const column = table.columns.find((candidate) => candidate.name === key);
  return others.length === 0 && column?.type === 'INTEGER' && column.name === 'id' ? column.name : null;
}
