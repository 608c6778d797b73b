import type { Authorizer } from '../../api/authorizer.ts';
import type { Fernet } from '../../crypto/fernet.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../telemetry/clock.ts';
import type { Ids } from '../../telemetry/ids.ts';

/** What the registries feature needs of the rest. */
export interface RegistryServices {
  database: Database;
  policy: Authorizer;
  clock: Clock;
  ids: Ids;
  /** Under `[DEFAULT]/auth_encryption_key`. */
  fernet: Fernet;
  /** `[api]/max_limit`. */
  maxLimit: number;
}
