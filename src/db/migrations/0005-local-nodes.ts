import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createTable, type TableSyntax } from '../create-table.ts';
import { ownTables } from '../own-tables.ts';

/** What nodes have, which one process used to remember for itself; agents fill it. */
export const localNodes = (syntax: TableSyntax): Migration => ({
  async up(db: Kysely<unknown>) {
    const table = ownTables.openkeel_local_node;
    if (table) await createTable(db, 'openkeel_local_node', table, syntax);
  },
});
