import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { changeService, serviceIdent, textParameter } from '../service-request.ts';
import type { ServiceServices } from '../service-services.ts';

/** The scheduler passes a disabled service by; what runs there goes on. Origin: zun/api/controllers/v1/zun_services.py (disable). */
export function disableService(services: ServiceServices): Operation {
  return {
    route: 'PUT /v1/services/disable',
    async handle({ context, params }) {
      services.policy.authorize(context, 'zun-service:disable', ownTarget(context));
      const service = serviceIdent(params);
      const reason = params.disabled_reason == null ? null : textParameter(params, 'disabled_reason');
      await changeService(services, service, { disabled: true, disabled_reason: reason });
      return { status: 200, body: { service: { ...service, disabled: true, disabled_reason: reason } } };
    },
  };
}
