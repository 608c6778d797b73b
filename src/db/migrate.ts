import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { alembicHead, currentRevision, stampRevision } from './alembic-revision.ts';
import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';
import { migrations } from './migrations/migrations.ts';
import { migrationTable, schemaState } from './schema-state.ts';

/** The database cannot be upgraded as it is; the message says what to run first. */
export class UnusableSchema extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnusableSchema';
  }
}

/**
 * Brings a database to the current schema: an empty one gets everything and the original's revision, one of the original at that
 * revision is adopted (own tables and indexes are added, nothing else is touched), an own one gets what is new. Answers the names of
 * the migrations that ran. Throws `UnusableSchema`, or the first migration's error.
 */
export async function migrate(database: Database, dialect: Dialect): Promise<string[]> {
  const state = await schemaState(database);
  if (state.kind === 'unusable') throw new UnusableSchema(state.reason);
  const { error, results } = await migrator(database, dialect).migrateToLatest();
  if (error) throw error;
  if ((await currentRevision(database.queries)) === null) {
    await database.transaction((transaction) => stampRevision(transaction, alembicHead));
  }
  return (results ?? []).map((result) => result.migrationName);
}

/** The own migrations that ran on a database, in order, and those that are still to run. */
export async function migrationsOf(database: Database, dialect: Dialect): Promise<{ done: string[]; missing: string[] }> {
  const all = await migrator(database, dialect).getMigrations();
  return {
    done: all.filter((migration) => migration.executedAt).map((migration) => migration.name),
    missing: all.filter((migration) => !migration.executedAt).map((migration) => migration.name),
  };
}

function migrator(database: Database, dialect: Dialect): Migrator {
  return new Migrator({
    db: database.queries as unknown as Kysely<unknown>,
    provider: { getMigrations: async () => migrations(dialect.tables) },
    migrationTableName: migrationTable,
    migrationLockTableName: `${migrationTable}_lock`,
  });
}
