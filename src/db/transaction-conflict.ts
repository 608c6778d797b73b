/** Thrown inside a transaction to have its whole closure run again: another transaction was faster, nothing may be kept. */
export class TransactionConflict extends Error {
  constructor(cause: unknown) {
    super('another transaction was faster', { cause });
    this.name = 'TransactionConflict';
  }
}

/** Deadlock, lock wait timeout, and a row that changed under a snapshot. A Galera certification failure is a 1213 too, at any statement or at COMMIT. */
const mariadbErrors = new Set([1213, 1205, 1020]);
/** Serialization failure, deadlock, lock not available. */
const postgresqlStates = new Set(['40001', '40P01', '55P03']);
/** SQLITE_BUSY and SQLITE_LOCKED: another connection was in the way. */
const sqliteCodes = new Set([5, 6]);

/**
 * Nothing of the transaction was committed and nothing can be: run the whole closure again. A deadlock rolls the whole transaction
 * back, so that repeating only its last statement would commit half of it.
 */
export function isConflict(error: unknown): boolean {
  if (error instanceof TransactionConflict) return true;
  if (!(error instanceof Error)) return false;
  if ('errno' in error && mariadbErrors.has(Number(error.errno))) return true;
  if ('errcode' in error && sqliteCodes.has(Number(error.errcode) & 0xff)) return true;
  return 'code' in error && postgresqlStates.has(String(error.code));
}
