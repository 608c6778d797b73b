import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';

/** Kysely's SQLite dialect over `node:sqlite`. One connection: the process is the only writer of its file. */
export function sqliteDialect(path: string): SqliteDialect {
  return new SqliteDialect({ database: async () => openDatabase(path) });
}

function openDatabase(path: string): SqliteDatabase {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  // A killed process loses nothing; a power cut may lose the last commits but never tears one (docs/decisions).
  database.exec('PRAGMA synchronous = NORMAL');
  database.exec('PRAGMA foreign_keys = ON');
  database.exec('PRAGMA busy_timeout = 5000');
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
