import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createTable, type TableSyntax } from '../create-table.ts';
import { ownTables } from '../own-tables.ts';

/** Consoles that may be opened. The version before it opens none, and does not look at the table. */
export const consoles = (syntax: TableSyntax): Migration => ({
  async up(db: Kysely<unknown>) {
    const table = ownTables.openkeel_console;
    if (table) await createTable(db, 'openkeel_console', table, syntax);
  },
});
