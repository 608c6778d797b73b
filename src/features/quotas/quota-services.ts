import type { Authorizer } from '../../api/authorizer.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../telemetry/clock.ts';
import type { QuotaAmounts } from './quota-limits.ts';

/** What the quotas feature needs of the rest. */
export interface QuotaServices {
  database: Database;
  policy: Authorizer;
  clock: Clock;
  /** `[quota]` of the configuration. */
  configuredQuotas: QuotaAmounts;
}
