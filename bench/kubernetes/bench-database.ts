import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { dialectOf } from '../../test/databases/servers/database-server.ts';
import { privateMariadb } from '../../test/databases/servers/private-mariadb.ts';
import { createDatabase } from '../../test/databases/test-database.ts';

/** A MariaDB of the bench's own with the schema in it; programs reach it under the URL. */
export async function benchDatabase(stack: AsyncDisposableStack): Promise<{ database: Database; url: string }> {
  const server = await privateMariadb();
  stack.defer(() => server.close());
  const name = await createDatabase(server);
  const dialect = dialectOf(server, name);
  const database = openDatabase(dialect);
  stack.defer(() => database.close());
  await migrate(database, dialect);
  const { user, password, host, port } = server.address(name);
  return { database, url: `mysql+pymysql://${user}:${password}@${host}:${port}/${name}` };
}
