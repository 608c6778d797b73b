import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';
import { migrations } from './migrations/migrations.ts';

/** Brings an empty or older database to the current schema. Throws the first migration's error. */
export async function migrate(database: Database, dialect: Dialect): Promise<void> {
  const migrator = new Migrator({
    db: database.queries as unknown as Kysely<unknown>,
    provider: { getMigrations: async () => migrations(dialect.types) },
    migrationTableName: 'openkeel_migration',
    migrationLockTableName: 'openkeel_migration_lock',
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
