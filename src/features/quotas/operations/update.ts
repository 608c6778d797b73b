import type { Operation } from '../../../api/operation.ts';
import { quotaTarget, requestedLimits } from '../quota-request.ts';
import type { QuotaServices } from '../quota-services.ts';
import { effectiveQuotas, setProjectQuotas } from '../quota-store.ts';

/** Origin: zun/api/controllers/v1/quotas.py (put). */
export function updateQuotas({ policy, database, clock, configuredQuotas }: QuotaServices): Operation {
  return {
    route: 'PUT /v1/quotas/{project_id}',
    async handle(request) {
      const projectId = request.path.project_id ?? '';
      policy.authorize(request.context, 'quota:update', quotaTarget(request));
      const body = await database.transaction(async (transaction) => {
        await setProjectQuotas(transaction, projectId, requestedLimits(request.params), clock.now());
        return effectiveQuotas(transaction, projectId, configuredQuotas);
      });
      return { status: 200, body };
    },
  };
}
