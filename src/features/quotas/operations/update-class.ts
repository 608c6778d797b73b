import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { firstLimits } from '../quota-limits.ts';
import { requestedLimits } from '../quota-request.ts';
import type { QuotaServices } from '../quota-services.ts';
import { classQuotas, setClassQuotas } from '../quota-store.ts';

/** Origin: zun/api/controllers/v1/quota_classes.py (put). */
export function updateQuotaClass({ policy, database, clock, configuredQuotas }: QuotaServices): Operation {
  return {
    route: 'PUT /v1/quota_classes/{quota_class_name}',
    async handle({ context, path, params }) {
      const className = path.quota_class_name ?? '';
      policy.authorize(context, 'quota_class:update', ownTarget(context));
      const body = await database.transaction(async (transaction) => {
        await setClassQuotas(transaction, className, requestedLimits(params), clock.now());
        return firstLimits(await classQuotas(transaction, className), configuredQuotas);
      });
      return { status: 200, body };
    },
  };
}
