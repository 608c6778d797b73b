import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { changeService, serviceIdent } from '../service-request.ts';
import type { ServiceServices } from '../service-services.ts';

/** Origin: zun/api/controllers/v1/zun_services.py (enable). */
export function enableService(services: ServiceServices): Operation {
  return {
    route: 'PUT /v1/services/enable',
    async handle({ context, params }) {
      services.policy.authorize(context, 'zun-service:enable', ownTarget(context));
      const service = serviceIdent(params);
      await changeService(services, service, { disabled: false, disabled_reason: null });
      return { status: 200, body: { service: { ...service, disabled: false, disabled_reason: null } } };
    },
  };
}
