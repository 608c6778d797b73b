import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';
import { migrationsOf, UnusableSchema } from './migrate.ts';
import { schemaState } from './schema-state.ts';

/**
 * For programs that share a database and so do not change its schema at their start. A schema that is newer than this version is fine:
 * migrations leave what the version before needs. Throws `UnusableSchema` with the command to run.
 */
export async function refuseOldSchema(database: Database, dialect: Dialect): Promise<void> {
  const state = await schemaState(database);
  if (state.kind === 'unusable') throw new UnusableSchema(state.reason);
  const missing = state.kind === 'own' ? (await migrationsOf(database, dialect)).missing : [];
  if (state.kind === 'own' && missing.length === 0) return;
  const what = {
    own: `lacks ${missing.join(', ')}`,
    empty: 'is empty',
    original: "is the original's, which can be adopted",
  }[state.kind];
  throw new UnusableSchema(`The database ${what}: run 'zun-db-manage upgrade' once, then start this again.`);
}
