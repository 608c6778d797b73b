import type { Operation } from '../../api/operation.ts';
import { deleteQuotas } from './operations/delete.ts';
import { showQuotas } from './operations/show.ts';
import { showQuotaClass } from './operations/show-class.ts';
import { showDefaultQuotas } from './operations/show-defaults.ts';
import { updateQuotas } from './operations/update.ts';
import { updateQuotaClass } from './operations/update-class.ts';
import type { QuotaServices } from './quota-services.ts';

/** The operations of `/v1/quotas` and `/v1/quota_classes`. */
export function quotasOperations(services: QuotaServices): Operation[] {
  return [
    showQuotas(services),
    showDefaultQuotas(services),
    updateQuotas(services),
    deleteQuotas(services),
    showQuotaClass(services),
    updateQuotaClass(services),
  ];
}
