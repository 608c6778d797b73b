import type { Database } from '../db/database.ts';
import type { Leadership } from './leadership.ts';

/**
 * The database of one who leads: its transactions commit only while it does. A process that slept (SIGSTOP, a paused machine) finds that
 * out here, before anything it saw long ago is written: the right is judged by its own clocks, and ends 15 s before others may take it. A process that
 * falls asleep between this look and COMMIT is rolled back by the server within 10 s (`idle_transaction_timeout`).
 */
export function fencedDatabase(database: Database, leadership: Leadership): Database {
  return {
    queries: database.queries,
    transaction: (closure) =>
      database.transaction(async (transaction) => {
        const result = await closure(transaction);
        leadership.require();
        return result;
      }),
    close: () => database.close(),
  };
}
