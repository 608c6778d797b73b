import type { LogEvent } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export interface DatabaseMetrics {
  /** For `openDatabase`. */
  onQuery(event: LogEvent): void;
  /** The same database with its transactions counted. */
  observed(database: Database): Database;
}

const kinds: Record<string, string> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
};

/** Counts statements by kind, and transactions with what their conflicts cost. */
export function databaseMetrics(metrics: Metrics): DatabaseMetrics {
  const statements = metrics.duration('zun_database_statement_duration_seconds', 'Time of a statement.', ['statement', 'outcome']);
  const transactions = metrics.counter('zun_database_transactions_total', 'Transactions by how they ended.', ['outcome']);
  const again = metrics.counter('zun_database_transaction_retries_total', 'Runs of a transaction after a conflict or a lost connection.');
  return {
    onQuery({ level, query, queryDurationMillis }) {
      const statement = kinds[query.query.kind] ?? 'other';
      statements.observe({ statement, outcome: level === 'error' ? 'failed' : 'done' }, queryDurationMillis);
    },
    observed: (database) => ({
      ...database,
      async transaction(closure) {
        let runs = 0;
        let outcome = 'failed';
        try {
          const answer = await database.transaction((transaction) => {
            runs += 1;
            return closure(transaction);
          });
          outcome = 'committed';
          return answer;
        } finally {
          transactions.add({ outcome });
          again.add({}, Math.max(0, runs - 1));
        }
      },
    }),
  };
}
