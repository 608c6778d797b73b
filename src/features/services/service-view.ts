import { isoTime } from '../../rules/iso-time.ts';
import { serviceIsUp } from '../../rules/service-is-up.ts';
import { fromDatabaseTime } from '../../telemetry/database-time.ts';
import type { ServiceRow } from './service-store.ts';

/** Shows a service with its state of now. Origin: zun/api/controllers/v1/views/services_view.py, zun_services.py. */
export function serviceView(row: ServiceRow, options: { now: number; downTimeSeconds: number; defaultZone: string }): unknown {
  const lastSeenUp = fromDatabaseTime(row.last_seen_up);
  const createdAt = fromDatabaseTime(row.created_at);
  const updatedAt = fromDatabaseTime(row.updated_at);
  const heartbeat = { forcedDown: Boolean(row.forced_down), lastSeenUp, createdAt, updatedAt };
  return {
    id: row.id,
    host: row.host,
    binary: row.binary,
    disabled: Boolean(row.disabled),
    disabled_reason: row.disabled_reason,
    last_seen_up: time(lastSeenUp),
    forced_down: Boolean(row.forced_down),
    report_count: row.report_count,
    availability_zone: row.availability_zone || options.defaultZone,
    created_at: time(createdAt),
    updated_at: time(updatedAt),
    state: serviceIsUp(heartbeat, options.now, options.downTimeSeconds) ? 'up' : 'down',
  };
}

const time = (milliseconds: number | null) => (milliseconds === null ? null : isoTime(milliseconds));
