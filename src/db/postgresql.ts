import { CompiledQuery, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Clock, systemClock } from '../telemetry/clock.ts';
import type { TableSyntax } from './create-table.ts';
import type { Dialect } from './dialect.ts';
import { resilientDialect } from './resilient-dialect.ts';
import type { Discard } from './resilient-driver.ts';
import type { ServerAddress } from './server-address.ts';

/**
 * PostgreSQL. Text is compared as it is written, upper and lower case apart, as under the original. A transaction whose process says
 * nothing for 10 s, since it was stopped, is ended by the server, or nobody could take its task over.
 */
export function postgresql(address: ServerAddress, clock: Clock = systemClock): Dialect {
  const openPool = async () => {
    const pool = new pg.Pool({
      host: address.socket ?? address.host,
      port: address.port ?? 5432,
      user: address.user,
      password: address.password,
      database: address.database,
      ...(address.tls ? { ssl: address.tls } : {}),
      types: { getTypeParser: (oid, format) => typeParsers.get(oid) ?? pg.types.getTypeParser(oid, format) },
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 10_000,
      max: address.connections,
      idleTimeoutMillis: 60_000,
    });
    // A connection that breaks, idle or not, is an event that ends the process unless somebody listens; its query fails as well.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  const dialect = new PostgresDialect({
    pool: openPool,
    async onCreateConnection(connection) {
      await connection.executeQuery(CompiledQuery.raw('set session characteristics as transaction isolation level read committed'));
      await connection.executeQuery(CompiledQuery.raw('set idle_in_transaction_session_timeout = 10000'));
    },
  });
  return {
    name: 'postgresql',
    kysely: resilientDialect(dialect, discard, clock),
    tables: postgresqlTables,
  };
}

/** A session that cannot even roll back is what Kysely takes from the pool; so it is ended first. */
const discard: Discard = async (connection, driver) => {
  await connection.executeQuery(CompiledQuery.raw('select pg_terminate_backend(pg_backend_pid())')).catch(() => undefined);
  await driver.rollbackTransaction(connection);
};

const asWritten = (text: string) => text;
/** BIGINT (also what COUNT answers) and NUMERIC (SUM) as numbers; timestamps and dates as text, as the other drivers give them. */
const typeParsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [20, Number],
  [1700, Number],
  [1082, asWritten],
  [1114, asWritten],
  [1184, asWritten],
]);

const columnTypes: Record<string, string> = {
  DATETIME: 'TIMESTAMP',
  TINYINT: 'BOOLEAN',
  MEDIUMTEXT: 'TEXT',
  FLOAT: 'DOUBLE PRECISION',
};

const postgresqlTables: TableSyntax = {
  serial: 'SERIAL',
  columnType: (type) => columnTypes[type] ?? type,
  columnDefault: (value, type) => (type === 'TINYINT' ? String(value !== '0') : value),
  // Two tables of the original use the name `uniq_volume0uuid`, and the original cannot make them here.
  constraintName: (table, name) => (table === 'volume_mapping' && name === 'uniq_volume0uuid' ? 'uniq_volume_mapping0uuid' : name),
  indexName: (table, name) => (name.startsWith(table) || name.includes(`_${table}_`) ? name : `${table}_${name}`),
  options: () => '',
  indexesWithTable: false,
};
