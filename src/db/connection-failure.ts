/** COMMIT was sent and its answer never came: the transaction may have been committed or not, so it must not run again by itself. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the connection to the database was lost while a transaction was being committed', { cause });
    this.name = 'CommitUnknown';
  }
}

/** Client side: a socket that is or goes away, or never came to be. */
const lostCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'PROTOCOL_CONNECTION_LOST', 'PROTOCOL_SEQUENCE_TIMEOUT']);
const refusedCodes = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT', 'EAI_AGAIN']);
/** Server shutdown, killed, gone away, lost, killed by an operator, idle for too long. */
const mariadbLost = new Set([1053, 1077, 1079, 1927, 2006, 2013, 1317, 4031]);
/** Too many connections (2), a Galera node that is not in the cluster, a server that became read-only (3). */
const mariadbRefused = new Set([1040, 1203, 1047, 1290, 1792, 1836]);
/** Admin and crash shutdown, idle for too long in a transaction; the 08 class is added below. */
const postgresqlLost = new Set(['57P01', '57P02', '25P03']);
/** Starting up, too many connections, a server that became read-only. */
const postgresqlRefused = new Set(['57P03', '53300', '25006']);
const lostTexts =
  /Connection terminated|closed state|timeout exceeded when trying to connect|Connection lost|not queryable|connection error/i;

/**
 * Whether an error says that the database could not be reached or used: `refused`, when the statement was certainly not executed,
 * `lost`, when it may have been; `null` for every other error. Either way the connection is of no more use.
 */
export function connectionFailure(error: unknown): 'refused' | 'lost' | null {
  if (!(error instanceof Error) || error instanceof CommitUnknown) return null;
  if (error instanceof AggregateError) return error.errors.map(connectionFailure).find((kind) => kind !== null) ?? null;
  const code = 'code' in error ? String(error.code) : '';
  const errno = 'errno' in error ? Number(error.errno) : 0;
  if (refusedCodes.has(code) || mariadbRefused.has(errno) || postgresqlRefused.has(code)) return 'refused';
  if (lostCodes.has(code) || mariadbLost.has(errno) || postgresqlLost.has(code) || /^08/.test(code)) return 'lost';
  return lostTexts.test(error.message) ? 'lost' : null;
}
