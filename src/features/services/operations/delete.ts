import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { zunServiceNotFound } from '../../../errors/catalogue.ts';
import { serviceIdent } from '../service-request.ts';
import type { ServiceServices } from '../service-services.ts';
import { deleteService } from '../service-store.ts';

/** Origin: zun/api/controllers/v1/zun_services.py (delete). */
export function deleteServiceOperation({ policy, database }: ServiceServices): Operation {
  return {
    route: 'DELETE /v1/services',
    async handle({ context, params }) {
      policy.authorize(context, 'zun-service:delete', ownTarget(context));
      const { host, binary } = serviceIdent(params);
      if (!(await deleteService(database.queries, host, binary))) throw zunServiceNotFound(binary, host);
      return { status: 200 };
    },
  };
}
