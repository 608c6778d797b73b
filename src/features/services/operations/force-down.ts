import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { schemaValidationError } from '../../../errors/catalogue.ts';
import { booleanFromString } from '../../../rules/boolean-from-string.ts';
import type { PythonValue } from '../../../validation/python-value.ts';
import { changeService, serviceIdent } from '../service-request.ts';
import type { ServiceServices } from '../service-services.ts';

/** Says that a service is down whatever its heartbeat says, or takes that back. Origin: zun_services.py (force_down). */
export function forceDownService(services: ServiceServices): Operation {
  return {
    route: 'PUT /v1/services/force_down',
    async handle({ context, params }) {
      services.policy.authorize(context, 'zun-service:force_down', ownTarget(context));
      if (params.forced_down === undefined) throw schemaValidationError("'forced_down' is a required property");
      const forcedDown = booleanFromString(params.forced_down as PythonValue, 'forced_down');
      const service = serviceIdent(params);
      await changeService(services, service, { forced_down: forcedDown });
      return { status: 200, body: { service: { ...service, forced_down: forcedDown } } };
    },
  };
}
