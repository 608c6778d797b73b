import type { DatabaseServer } from './database-server.ts';
import { serverOn } from './database-server.ts';
import { privateMariadb } from './private-mariadb.ts';
import { privatePostgresql } from './private-postgresql.ts';

/** Where `test/databases/main.ts` tells the tests the ports of the servers that it started for all of them. */
export const portVariables = { mariadb: 'ZUN_TEST_MARIADB_PORT', postgresql: 'ZUN_TEST_POSTGRESQL_PORT' } as const;

/** The server that all tests share, or, for a test that is run alone, one of its own. `release` when done. */
export async function testServer(kind: DatabaseServer['kind']): Promise<{ server: DatabaseServer; release(): Promise<void> }> {
  const port = process.env[portVariables[kind]];
  if (port) return { server: serverOn(kind, Number(port)), release: () => Promise.resolve() };
  const server = kind === 'mariadb' ? await privateMariadb() : await privatePostgresql();
  return { server, release: () => server.close() };
}
