import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { contractTables } from '../contract-tables.ts';
import { createIndex, createTable, type TableSyntax } from '../create-table.ts';
import { ownIndexes } from '../own-indexes.ts';
import { ownTables } from '../own-tables.ts';
import { turnsOfTasks } from './0004-turns-of-tasks.ts';
import { localNodes } from './0005-local-nodes.ts';
import { leases } from './0006-leases.ts';
import { consoles } from './0007-consoles.ts';

/**
 * Forward only, in order of name. Each may be run again after it was interrupted, since DDL of MariaDB commits by itself, and leaves
 * what the version before it needs.
 */
export function migrations(syntax: TableSyntax): Record<string, Migration> {
  return {
    /** Makes nothing in a database that the original has filled: all of it is there. */
    '0001-schema-of-zun-18': {
      async up(db: Kysely<unknown>) {
        for (const [name, table] of contractTables()) await createTable(db, name, table, syntax);
      },
    },
    '0002-own-tables': {
      async up(db: Kysely<unknown>) {
        for (const [name, table] of Object.entries(ownTables)) await createTable(db, name, table, syntax);
      },
    },
    '0003-own-indexes': {
      async up(db: Kysely<unknown>) {
        for (const index of ownIndexes) await createIndex(db, index.table, index, syntax);
      },
    },
    '0004-turns-of-tasks': turnsOfTasks(syntax),
    '0005-local-nodes': localNodes(syntax),
    '0006-leases': leases(syntax),
    '0007-consoles': consoles(syntax),
  };
}
