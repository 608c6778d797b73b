import type { Operation } from '../../api/operation.ts';
import { deleteServiceOperation } from './operations/delete.ts';
import { disableService } from './operations/disable.ts';
import { enableService } from './operations/enable.ts';
import { forceDownService } from './operations/force-down.ts';
import { listServicesOperation } from './operations/list.ts';
import type { ServiceServices } from './service-services.ts';

/** The operations of `/v1/services`. */
export function servicesOperations(services: ServiceServices): Operation[] {
  return [
    listServicesOperation(services),
    deleteServiceOperation(services),
    enableService(services),
    disableService(services),
    forceDownService(services),
  ];
}
