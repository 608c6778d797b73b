import type { Authorizer } from '../../api/authorizer.ts';
import type { Database } from '../../db/database.ts';

/** What the availability zones feature needs of the rest. */
export interface AvailabilityZoneServices {
  database: Database;
  policy: Authorizer;
  /** `[api]/max_limit`. */
  maxLimit: number;
}
