import type { Authorizer } from '../../api/authorizer.ts';
import type { Database } from '../../db/database.ts';

/** What the actions feature needs of the rest. */
export interface ActionServices {
  database: Database;
  policy: Authorizer;
}
