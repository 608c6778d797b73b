import { Kysely, type LogEvent } from 'kysely';
import type { Database } from './database.ts';
import { type Dialect, isConflict } from './dialect.ts';
import type { Schema } from './schema.generated.ts';

/** Attempts at one transaction before its conflict is the caller's. */
const attempts = 10;

/** `onQuery` sees each statement as it ends: the seam for metrics and for the query budgets in tests. */
export function openDatabase(dialect: Dialect, onQuery?: (event: LogEvent) => void): Database {
  const kysely = new Kysely<Schema>(onQuery ? { dialect: dialect.kysely, log: onQuery } : { dialect: dialect.kysely });
  return {
    queries: kysely,
    async transaction(closure) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await kysely.transaction().execute(closure);
        } catch (error) {
          if (attempt >= attempts || !isConflict(error)) throw error;
        }
      }
    },
    close: () => kysely.destroy(),
  };
}
