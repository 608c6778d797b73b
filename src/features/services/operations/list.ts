import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import type { ServiceServices } from '../service-services.ts';
import { listServices } from '../service-store.ts';
import { serviceView } from '../service-view.ts';

/** All services on one page. Origin: zun/api/controllers/v1/zun_services.py (get_all). */
export function listServicesOperation(services: ServiceServices): Operation {
  const { policy, database, clock } = services;
  return {
    route: 'GET /v1/services',
    async handle({ context }) {
      policy.authorize(context, 'zun-service:get_all', ownTarget(context));
      const rows = await listServices(database.queries);
      const options = {
        now: clock.now(),
        downTimeSeconds: services.serviceDownTimeSeconds,
        defaultZone: services.defaultAvailabilityZone,
      };
      return { status: 200, body: { services: rows.map((row) => serviceView(row, options)) } };
    },
  };
}
