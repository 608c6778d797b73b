import type { Authorizer } from '../../api/authorizer.ts';
import type { Database } from '../../db/database.ts';
import type { Networking } from '../../networking/networking.ts';
import type { Clock } from '../../telemetry/clock.ts';
import type { Ids } from '../../telemetry/ids.ts';

/** What the networks feature needs of the rest. */
export interface NetworkServices {
  database: Database;
  policy: Authorizer;
  networking: Networking;
  clock: Clock;
  ids: Ids;
  /** `[DEFAULT]/host`, whose engine gets the networks. */
  host: string;
}
