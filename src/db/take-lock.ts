import type { Queries } from './database.ts';
import { TransactionConflict } from './transaction-conflict.ts';
import { isUniqueViolation } from './unique-violation.ts';

/**
 * Takes what the name stands for until the transaction ends: of two transactions that take it the second waits, and then sees what the first
 * has done. An UPDATE locks its row on every database, where SELECT … FOR UPDATE would have no place on SQLite. It changes the row each time,
 * since Galera certifies only what has changed. Two first ones of a name meet at the primary key; the slower one runs again.
 */
export async function takeLock(transaction: Queries, name: string): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('openkeel_project_lock')
    .set((row) => ({ taken: row('taken', '+', 1) }))
    .where('project_id', '=', name)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  try {
    await transaction.insertInto('openkeel_project_lock').values({ project_id: name, taken: 0 }).execute();
  } catch (error) {
    throw isUniqueViolation(error) ? new TransactionConflict(error) : error;
  }
}
