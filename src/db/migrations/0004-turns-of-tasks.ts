import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createIndex, type TableSyntax } from '../create-table.ts';
import { ownTables } from '../own-tables.ts';

/**
 * Gives the queue its turns, where it was made without. What the version before queues meanwhile has turn 0 and goes first; the index
 * that its claims use stays.
 */
export const turnsOfTasks = (syntax: TableSyntax): Migration => ({
  async up(db: Kysely<unknown>) {
    const queue = (await db.introspection.getTables()).find(({ name }) => name === 'openkeel_task');
    if (queue && !queue.columns.some(({ name }) => name === 'turn')) {
      await db.schema
        .alterTable('openkeel_task')
        .addColumn('turn', sql.raw(syntax.columnType('INTEGER', 'openkeel_task')), (column) => column.notNull().defaultTo(0))
        .execute();
    }
    for (const index of ownTables.openkeel_task?.indexes ?? []) await createIndex(db, 'openkeel_task', index, syntax);
  },
});
