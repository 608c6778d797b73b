import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { systemClock } from '../telemetry/clock.ts';

/** So long a statement waits for what another process does in the file, in milliseconds. */
const busyTimeout = 5_000;
/** SQLITE_BUSY. */
const busy = 5;
/** Tries at a file that others open, and milliseconds between them. */
const openingAttempts = 50;
const openingPause = 20;

/** Kysely's SQLite dialect over `node:sqlite`. One connection: the process is the only writer of its file. */
export function sqliteDialect(path: string): SqliteDialect {
  return new SqliteDialect({ database: () => openDatabase(path) });
}

async function openDatabase(path: string): Promise<SqliteDatabase> {
  const database = new DatabaseSync(path, { timeout: busyTimeout });
  await keepWriteAheadLog(database);
  // A killed process loses nothing; a power cut may lose the last commits but never tears one (docs/decisions).
  database.exec('PRAGMA synchronous = NORMAL');
  database.exec('PRAGMA foreign_keys = ON');
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(text) {
      let statement = prepared.get(text);
      if (!statement) {
        statement = adapt(database.prepare(text));
        if (prepared.size > 500) prepared.clear();
        prepared.set(text, statement);
      }
      return statement;
    },
  };
}

/** Programs that open a new file at once are in each other's way here: SQLite refuses some of them without a wait. The file keeps what one has set. */
async function keepWriteAheadLog(database: DatabaseSync): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== busy || attempt === openingAttempts) throw error;
      await systemClock.sleep(openingPause);
    }
  }
}

function adapt(statement: StatementSync): SqliteStatement {
  const bind = (values: readonly unknown[]) => values.map(toSqlite);
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...bind(values)),
    run: (values) => statement.run(...bind(values)),
    iterate: (values) => statement.iterate(...bind(values)),
  };
}

function toSqlite(value: unknown): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : (value as SQLInputValue);
}
