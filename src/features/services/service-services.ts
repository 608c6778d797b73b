import type { Authorizer } from '../../api/authorizer.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../telemetry/clock.ts';

/** What the services feature needs of the rest. */
export interface ServiceServices {
  database: Database;
  policy: Authorizer;
  clock: Clock;
  /** `[DEFAULT]/service_down_time`: seconds without a sign of life after which a service is down. */
  serviceDownTimeSeconds: number;
  /** `[DEFAULT]/default_availability_zone`, shown for a service that has none. */
  defaultAvailabilityZone: string;
}
