/** ER_DUP_ENTRY; unique_violation; SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const mariadbError = 1062;
const postgresqlState = '23505';
const sqliteCodes = new Set([2067, 1555]);

/** A unique constraint refused the row. On PostgreSQL the transaction can only be rolled back then. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errno' in error && error.errno === mariadbError) return true;
  if ('errcode' in error && sqliteCodes.has(Number(error.errcode))) return true;
  return 'code' in error && error.code === postgresqlState;
}
