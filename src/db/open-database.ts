import { Kysely, type LogEvent } from 'kysely';
import { type Clock, systemClock } from '../telemetry/clock.ts';
import { type Ids, randomIds } from '../telemetry/ids.ts';
import { connectionFailure } from './connection-failure.ts';
import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';
import type { Schema } from './schema.generated.ts';
import { isConflict } from './transaction-conflict.ts';

/** Attempts at one transaction before its conflict is the caller's. */
const conflictAttempts = 10;
/** Milliseconds before a transaction whose connection broke runs again. */
const reconnectDelays = [0, 100, 300, 1000];
/** After its first conflict a transaction waits for up to so many milliseconds more each time: two that collide must not go on in step. */
const conflictDelay = 10;

/** `onQuery` sees each statement as it ends: the seam for metrics and for the query budgets in tests. */
export function openDatabase(
  dialect: Dialect,
  onQuery?: (event: LogEvent) => void,
  { clock, ids }: { clock: Clock; ids: Ids } = { clock: systemClock, ids: randomIds },
): Database {
  const kysely = new Kysely<Schema>(onQuery ? { dialect: dialect.kysely, log: onQuery } : { dialect: dialect.kysely });
  return {
    queries: kysely,
    async transaction(closure) {
      let conflicts = 0;
      let failures = 0;
      for (;;) {
        try {
          return await kysely.transaction().execute(closure);
        } catch (error) {
          if (isConflict(error)) {
            conflicts += 1;
            if (conflicts >= conflictAttempts) throw error;
            if (conflicts > 1) await clock.sleep(ids.below(conflictDelay * conflicts));
          } else if (connectionFailure(error)) {
            const delay = reconnectDelays[failures];
            if (delay === undefined) throw error;
            failures += 1;
            await clock.sleep(delay);
          } else throw error;
        }
      }
    },
    close: () => kysely.destroy(),
  };
}
