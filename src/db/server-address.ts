/** Where a database server is and how it is entered. */
export interface ServerAddress {
  host: string;
  /** `null` = the database's usual one. */
  port: number | null;
  /** Path of a Unix socket (PostgreSQL: of its folder), used instead of host and port. */
  socket: string | null;
  user: string;
  password: string;
  database: string;
  /** PEM texts; `null` = in clear. */
  tls: { ca?: string; cert?: string; key?: string; rejectUnauthorized: boolean } | null;
  /** Most connections at once of this process. */
  connections: number;
}
