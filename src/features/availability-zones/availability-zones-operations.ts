import type { Operation } from '../../api/operation.ts';
import type { AvailabilityZoneServices } from './availability-zone-services.ts';
import { listAvailabilityZones } from './operations/list.ts';

/** The operations of `/v1/availability_zones`. */
export function availabilityZonesOperations(services: AvailabilityZoneServices): Operation[] {
  return [listAvailabilityZones(services)];
}
