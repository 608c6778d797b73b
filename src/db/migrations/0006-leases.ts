import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createTable, type TableSyntax } from '../create-table.ts';
import { ownTables } from '../own-tables.ts';

/** Who leads what. The version before it elects nobody, and does not look at the table. */
export const leases = (syntax: TableSyntax): Migration => ({
  async up(db: Kysely<unknown>) {
    const table = ownTables.openkeel_lease;
    if (table) await createTable(db, 'openkeel_lease', table, syntax);
  },
});
