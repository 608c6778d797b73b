import type { Operation } from '../../../api/operation.ts';
import { quotaTarget } from '../quota-request.ts';
import type { QuotaServices } from '../quota-services.ts';
import { deleteProjectQuotas } from '../quota-store.ts';

/** Origin: zun/api/controllers/v1/quotas.py (delete). */
export function deleteQuotas({ policy, database }: QuotaServices): Operation {
  return {
    route: 'DELETE /v1/quotas/{project_id}',
    async handle(request) {
      policy.authorize(request.context, 'quota:delete', quotaTarget(request));
      await database.transaction((transaction) => deleteProjectQuotas(transaction, request.path.project_id ?? ''));
      return { status: 200 };
    },
  };
}
