import type { Operation } from '../../../api/operation.ts';
import { quotaResources } from '../quota-limits.ts';
import { quotaTarget } from '../quota-request.ts';
import type { QuotaServices } from '../quota-services.ts';
import { effectiveQuotas } from '../quota-store.ts';
import { quotaUsage } from '../quota-usage.ts';

/** Any word for `usages` adds them, `false` too: clients rely on leaving it out. Origin: zun/api/controllers/v1/quotas.py (get). */
export function showQuotas({ policy, database, configuredQuotas }: QuotaServices): Operation {
  return {
    route: 'GET /v1/quotas/{project_id}',
    async handle(request) {
      const projectId = request.path.project_id ?? '';
      policy.authorize(request.context, 'quota:get', quotaTarget(request));
      const limits = await effectiveQuotas(database.queries, projectId, configuredQuotas);
      if (!request.params.usages) return { status: 200, body: limits };
      const usage = await quotaUsage(database.queries, projectId);
      const members = quotaResources.map((resource) => [resource, { limit: limits[resource], in_use: usage[resource] }]);
      return { status: 200, body: Object.fromEntries(members) };
    },
  };
}
