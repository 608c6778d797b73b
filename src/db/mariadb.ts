import { CompiledQuery, MysqlDialect, MysqlQueryCompiler, type OrderByItemNode } from 'kysely';
import { createPool, type PoolOptions } from 'mysql2';
import { type Clock, systemClock } from '../telemetry/clock.ts';
import type { TableSyntax } from './create-table.ts';
import type { Dialect } from './dialect.ts';
import { resilientDialect } from './resilient-dialect.ts';
import type { Discard } from './resilient-driver.ts';
import type { ServerAddress } from './server-address.ts';

/** Connections kept while nothing needs them; the rest of `address.connections` come and go. */
const idleConnections = 5;

/**
 * MariaDB and MySQL, alone or under Galera.
 *
 * Read committed: a transaction that waited for a row sees what the other one committed, and INSERTs take no gap locks. TRADITIONAL, as
 * oslo.db sets it, refuses what does not fit instead of cutting it off, and keeps backslash an escape, which the driver's quoting needs.
 * A lock is waited for 10 s instead of 50: the transaction runs again then. A transaction whose process says nothing for 10 s, since it was
 * stopped, is ended by the server, or nobody could take its task over; MySQL has no such limit and reads a comment there.
 */
export function mariadb(address: ServerAddress, clock: Clock = systemClock): Dialect {
  const dialect = new MysqlDialect({
    // Made with the first query: a pool keeps its process running until it is closed, and Kysely closes only what it has used.
    pool: async () => createPool(poolOptions(address)),
    async onCreateConnection(connection) {
      await connection.executeQuery(CompiledQuery.raw('set session transaction isolation level read committed'));
      await connection.executeQuery(
        CompiledQuery.raw(
          "set session sql_mode = 'TRADITIONAL', session innodb_lock_wait_timeout = 10 /*M!100300 , session idle_transaction_timeout = 10 */",
        ),
      );
    },
  });
  dialect.createQueryCompiler = () => new MariadbQueryCompiler();
  return {
    name: 'mariadb',
    kysely: resilientDialect(dialect, discard, clock),
    tables: mariadbTables,
  };
}

function poolOptions(address: ServerAddress): PoolOptions {
  return {
    ...(address.socket ? { socketPath: address.socket } : { host: address.host, port: address.port ?? 3306 }),
    user: address.user,
    password: address.password,
    database: address.database,
    ...(address.tls ? { ssl: address.tls } : {}),
    charset: 'utf8mb4_general_ci',
    timezone: 'Z',
    dateStrings: true,
    decimalNumbers: true,
    stringifyObjects: true,
    connectTimeout: 5000,
    enableKeepAlive: true,
    keepAliveInitialDelay: 10_000,
    connectionLimit: address.connections,
    // Fewer than the limit, or the driver never closes an idle one; closed long before a server's wait_timeout would.
    maxIdle: Math.max(0, Math.min(idleConnections, address.connections - 1)),
    idleTimeout: 60_000,
  };
}

/** Destroys the socket; nothing is under way on it, so no other connection is needed to end anything. */
const discard: Discard = async (connection) => connection.killSession?.(() => Promise.resolve());

class MariadbQueryCompiler extends MysqlQueryCompiler {
  /**
   * FLOAT, the type of every column that holds fractions, is a single there: 0.1 in it is not equal to the literal 0.1, so that pages
   * sorted by `cpu` would repeat rows (those of the original do).
   */
  protected override appendValue(value: unknown): void {
    super.appendValue(typeof value === 'number' && !Number.isInteger(value) ? Math.fround(value) : value);
  }

  /** There is no NULLS FIRST; NULL sorts lowest anyway. */
  protected override visitOrderByItem(node: OrderByItemNode): void {
    const { nulls: _, ...plain } = node;
    super.visitOrderByItem(plain);
  }
}

/** The original made these tables with `mysql_charset='utf8'`; the others have the database's own character set. */
const utf8mb3Tables = new Set(['image', 'network', 'quota_classes', 'quotas', 'registry']);

const mariadbTables: TableSyntax = {
  serial: 'INTEGER AUTO_INCREMENT',
  columnType: (type) => (type === 'TINYINT' ? 'TINYINT(1)' : type),
  columnDefault: (value) => value,
  constraintName: (_table, name) => name,
  indexName: (_table, name) => name,
  options: (table) => (utf8mb3Tables.has(table) ? 'engine=InnoDB default charset=utf8mb3' : 'engine=InnoDB'),
  indexesWithTable: true,
};
