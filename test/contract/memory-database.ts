import type { Database } from '../../src/db/database.ts';
import { sqlite } from '../../src/db/dialect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open-database.ts';

/** An empty database of the current schema that lives in memory. */
export async function memoryDatabase(): Promise<Database> {
  const dialect = sqlite(':memory:');
  const database = openDatabase(dialect);
  await migrate(database, dialect);
  return database;
}
