import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { contractTables } from '../contract-tables.ts';
import { createTable, type TypeNames } from '../create-table.ts';
import { ownTables } from '../own-tables.ts';

/** Forward only, in order of name. */
export function migrations(types: TypeNames): Record<string, Migration> {
  return {
    '0001-schema-of-zun-18': {
      async up(db: Kysely<unknown>) {
        for (const [name, table] of contractTables()) await createTable(db, name, table, types);
      },
    },
    '0002-own-tables': {
      async up(db: Kysely<unknown>) {
        for (const [name, table] of Object.entries(ownTables)) await createTable(db, name, table, types);
      },
    },
  };
}
