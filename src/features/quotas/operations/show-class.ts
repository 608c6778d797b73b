import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { firstLimits } from '../quota-limits.ts';
import type { QuotaServices } from '../quota-services.ts';
import { classQuotas } from '../quota-store.ts';

/** A class that nobody defined has the configured limits. Origin: zun/api/controllers/v1/quota_classes.py (get). */
export function showQuotaClass({ policy, database, configuredQuotas }: QuotaServices): Operation {
  return {
    route: 'GET /v1/quota_classes/{quota_class_name}',
    async handle({ context, path }) {
      policy.authorize(context, 'quota_class:get', ownTarget(context));
      return { status: 200, body: firstLimits(await classQuotas(database.queries, path.quota_class_name ?? ''), configuredQuotas) };
    },
  };
}
