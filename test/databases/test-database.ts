import { randomBytes } from 'node:crypto';
import { CompiledQuery, type LogEvent, sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { type Dialect, sqlite } from '../../src/db/dialect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { type DatabaseServer, dialectOf, maintenanceDatabase } from './servers/database-server.ts';

/** A database of a test's own. */
export interface TestDatabase extends Database {
  dialect: Dialect;
  /** Its name on the server; '' on SQLite. */
  name: string;
}

/** What a suite is run on. `open` answers an empty, migrated database; closing it drops it. */
export interface DatabaseSource {
  kind: Dialect['name'];
  server: DatabaseServer | null;
  open(onQuery?: (event: LogEvent) => void): Promise<TestDatabase>;
}

/** A new database in memory each time. */
export const sqliteSource: DatabaseSource = {
  kind: 'sqlite',
  server: null,
  async open(onQuery) {
    const dialect = sqlite(':memory:');
    const database = openDatabase(dialect, onQuery);
    await migrate(database, dialect);
    return { ...database, dialect, name: '' };
  },
};

/** A new database of a server each time. */
export function serverSource(server: DatabaseServer): DatabaseSource {
  return {
    kind: server.kind,
    server,
    async open(onQuery) {
      const name = await createDatabase(server);
      const dialect = dialectOf(server, name);
      const database = openDatabase(dialect, onQuery);
      await migrate(database, dialect);
      return {
        ...database,
        dialect,
        name,
        async close() {
          await database.close();
          await dropDatabase(server, name);
        },
      };
    },
  };
}

/** An empty database; answers its name. */
export async function createDatabase(server: DatabaseServer): Promise<string> {
  const name = `zun_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  return name;
}

export async function dropDatabase(server: DatabaseServer, name: string): Promise<void> {
  await onServer(server, server.kind === 'postgresql' ? `drop database ${name} with (force)` : `drop database ${name}`);
}

async function onServer(server: DatabaseServer, statement: string): Promise<void> {
  const database = openDatabase(dialectOf(server, maintenanceDatabase[server.kind]));
  try {
    await database.queries.executeQuery(CompiledQuery.raw(statement));
  } finally {
    await database.close();
  }
}

/** The rows of a statement written as text. */
export async function rowsOf<Row>(database: Database, statement: string): Promise<Row[]> {
  return (await sql.raw<Row>(statement).execute(database.queries)).rows;
}
