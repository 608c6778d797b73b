import type { Dialect, Driver } from 'kysely';
import type { Clock } from '../telemetry/clock.ts';
import { type Discard, ResilientDriver } from './resilient-driver.ts';

/** A server's dialect whose connections may break at any time, see `ResilientDriver`. */
export function resilientDialect(dialect: Dialect, discard: Discard, clock: Clock): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: (): Driver => new ResilientDriver(dialect.createDriver(), discard, clock),
  };
}
