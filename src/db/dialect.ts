import type { Dialect as KyselyDialect } from 'kysely';
import type { TypeNames } from './create-table.ts';
import { sqliteDialect } from './sqlite-driver.ts';

/** Everything that differs between the databases. */
export interface Dialect {
  name: 'sqlite';
  kysely: KyselyDialect;
  types: TypeNames;
}

export function sqlite(path: string): Dialect {
  return {
    name: 'sqlite',
    kysely: sqliteDialect(path),
    types: {
      serial: 'INTEGER',
      typeName: (type) => (type === 'TINYINT' ? 'BOOLEAN' : type === 'MEDIUMTEXT' ? 'TEXT' : type),
    },
  };
}

/** SQLITE_BUSY (5) and SQLITE_LOCKED (6): another connection was in the way, nothing was committed. */
export function isConflict(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 5 || code === 6;
}

/** A unique constraint refused the row (SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY). */
export function isUniqueViolation(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
  return code === 2067 || code === 1555;
}
