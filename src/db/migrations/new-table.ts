import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createTable, type TableSyntax } from '../create-table.ts';
import { ownTables } from '../own-tables.ts';

/** Makes one of the project's own tables in a database that was made before there was one; where it is there already, nothing. */
export const newTable = (name: string, syntax: TableSyntax): Migration => ({
  async up(db: Kysely<unknown>) {
    const table = ownTables[name];
    if (table) await createTable(db, name, table, syntax);
  },
});
