import type { Dialect } from '../../../src/db/dialect.ts';
import { mariadb } from '../../../src/db/mariadb.ts';
import { postgresql } from '../../../src/db/postgresql.ts';
import type { ServerAddress } from '../../../src/db/server-address.ts';

/** A server that tests may fill; every name of a database is its own test's. */
export interface DatabaseServer {
  kind: 'mariadb' | 'postgresql';
  /** The address of one of its databases. */
  address(database: string): ServerAddress;
}

/** Opens one of a server's databases through the service's own driver. */
export function dialectOf(server: DatabaseServer, database: string): Dialect {
  return server.kind === 'mariadb' ? mariadb(server.address(database)) : postgresql(server.address(database));
}

/** The database that is there from the beginning. */
export const maintenanceDatabase = { mariadb: 'mysql', postgresql: 'postgres' } as const;

export const superuser = { user: 'zun_test', password: 'zun_test' };

/** A server on a port of 127.0.0.1. */
export function serverOn(kind: DatabaseServer['kind'], port: number): DatabaseServer {
  return {
    kind,
    address: (database) => ({ host: '127.0.0.1', port, socket: null, ...superuser, database, tls: null, connections: 20 }),
  };
}
