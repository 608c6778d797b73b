import { sql } from 'kysely';
import { openDatabase } from '../../../src/db/open-database.ts';
import { until } from '../../system/engine/until.ts';
import { type DatabaseServer, dialectOf, maintenanceDatabase } from './database-server.ts';

/** A server that this process started. */
export interface PrivateServer extends DatabaseServer {
  /** Ends it and starts it again on the same data and port. `while` runs between the two. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** Ends it and removes its folder. */
  close(): Promise<void>;
}

/** Waits until a server answers. */
export async function answering(server: DatabaseServer, printed: () => string): Promise<void> {
  try {
    await until(`${server.kind} answers`, () => ask(server), 60_000);
  } catch (error) {
    throw new Error(`${server.kind} did not start:\n${printed()}`, { cause: error });
  }
}

async function ask(server: DatabaseServer): Promise<true> {
  const database = openDatabase(dialectOf(server, maintenanceDatabase[server.kind]));
  try {
    await sql`select 1`.execute(database.queries);
    return true;
  } finally {
    await database.close();
  }
}
