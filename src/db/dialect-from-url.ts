import { readFileSync } from 'node:fs';
import { type Dialect, sqlite } from './dialect.ts';
import { mariadb } from './mariadb.ts';
import { postgresql } from './postgresql.ts';
import type { ServerAddress } from './server-address.ts';

/** Most connections of one process, unless the URL says (`?pool_size=`). */
const defaultConnections = 20;

/**
 * The database of a URL as operators have it in `[database]/connection`: `mysql+pymysql://user:password@host:3306/zun?charset=utf8`,
 * `postgresql://…`, `sqlite:////path`. Of the query it heeds `unix_socket`, `ssl_ca`, `ssl_cert`, `ssl_key`, `sslmode`, `sslrootcert`,
 * `sslcert`, `sslkey` and `pool_size`. Throws without the password for any other.
 */
export function dialectFromUrl(text: string): Dialect {
  const scheme = /^([a-z0-9+]+):\/\//i.exec(text)?.[1]?.split('+')[0]?.toLowerCase();
  if (scheme === 'sqlite') return sqlite(text.slice(text.indexOf('://') + 3).replace(/^\//, '') || ':memory:');
  if (scheme === 'mysql' || scheme === 'mariadb') return mariadb(serverAddress(text));
  if (scheme === 'postgresql' || scheme === 'postgres') return postgresql(serverAddress(text));
  throw new Error(`the database URL ${withoutPassword(text)} is of no known kind: mysql, mariadb, postgresql or sqlite is wanted`);
}

/** A URL that may be shown. */
export function withoutPassword(text: string): string {
  return text.replace(/(:\/\/[^:@/]*):[^@]*@/, '$1:***@');
}

/** Exported for its tests. */
export function serverAddress(text: string): ServerAddress {
  const url = parsed(text);
  const query = url.searchParams;
  const database = decodeURIComponent(url.pathname.slice(1));
  if (!database) throw new Error(`the database URL ${withoutPassword(text)} names no database`);
  return {
    host: url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1',
    port: url.port === '' ? null : Number(url.port),
    socket: query.get('unix_socket'),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    tls: tlsOf(query),
    connections: Number(query.get('pool_size') ?? defaultConnections),
  };
}

/** The standard's parser knows the parts only of schemes that it knows, and wants a host after a user. */
function parsed(text: string): URL {
  try {
    return new URL(text.replace(/^[a-z0-9+]+:/i, 'http:').replace(/^(http:\/\/[^/]*@)(?=\/)/, (user) => `${user}127.0.0.1`));
  } catch (error) {
    throw new Error(`the database URL ${withoutPassword(text)} cannot be read`, { cause: error });
  }
}

function tlsOf(query: URLSearchParams): ServerAddress['tls'] {
  const pem = (...names: string[]) => {
    const file = names.map((name) => query.get(name)).find((value) => value !== null);
    return file ? readFileSync(file, 'utf8') : undefined;
  };
  const [ca, cert, key] = [pem('ssl_ca', 'sslrootcert'), pem('ssl_cert', 'sslcert'), pem('ssl_key', 'sslkey')];
  const mode = query.get('sslmode');
  if (!ca && !cert && (mode === null || mode === 'disable' || mode === 'allow' || mode === 'prefer')) return null;
  return {
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
    rejectUnauthorized: ca !== undefined || mode !== 'require',
  };
}
