import type { CompiledQuery, Dialect, Driver } from 'kysely';
import type { Clock } from '../telemetry/clock.ts';
import { ResilientDriver } from './resilient-driver.ts';

/**
 * A server's dialect whose connections may break at any time, see `ResilientDriver`. `endSession` is the statement by which a session
 * ends itself.
 */
export function resilientDialect(dialect: Dialect, endSession: CompiledQuery, clock: Clock): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: (): Driver => new ResilientDriver(dialect.createDriver(), endSession, clock),
  };
}
