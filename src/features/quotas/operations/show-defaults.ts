import type { Operation } from '../../../api/operation.ts';
import { defaultQuotaClass, firstLimits } from '../quota-limits.ts';
import { quotaTarget } from '../quota-request.ts';
import type { QuotaServices } from '../quota-services.ts';
import { classQuotas } from '../quota-store.ts';

/** Origin: zun/api/controllers/v1/quotas.py (defaults). */
export function showDefaultQuotas({ policy, database, configuredQuotas }: QuotaServices): Operation {
  return {
    route: 'GET /v1/quotas/{project_id}/defaults',
    async handle(request) {
      policy.authorize(request.context, 'quota:get_default', quotaTarget(request));
      return { status: 200, body: firstLimits(await classQuotas(database.queries, defaultQuotaClass), configuredQuotas) };
    },
  };
}
