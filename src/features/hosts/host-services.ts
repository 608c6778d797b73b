import type { Authorizer } from '../../api/authorizer.ts';
import type { Database } from '../../db/database.ts';

/** What the hosts feature needs of the rest. */
export interface HostServices {
  database: Database;
  policy: Authorizer;
  /** `[api]/max_limit`. */
  maxLimit: number;
}
