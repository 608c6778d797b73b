import type { Queries } from '../../db/database.ts';
import { takeLock } from '../../db/take-lock.ts';
import { overQuota } from '../../errors/catalogue.ts';
import type { QuotaAmounts, QuotaResource } from './quota-limits.ts';
import { effectiveQuotas } from './quota-store.ts';
import { addAmounts, quotaUsage } from './quota-usage.ts';

/**
 * Refuses what would take a project over its quota: `OverQuota` (403), in the original's words. Call it in the
 * transaction that then inserts or changes the rows: until that commits, no other transaction can count the project's usage.
 * Amounts that do not grow are never refused. Origin: zun/api/controllers/v1/containers.py (_check_for_resource_quota),
 * zun/common/quota.py (limit_check), which takes no lock.
 */
export async function checkQuota(
  transaction: Queries,
  request: { projectId: string; added: QuotaAmounts; configured: QuotaAmounts },
): Promise<void> {
  await takeLock(transaction, request.projectId);
  const limits = await effectiveQuotas(transaction, request.projectId, request.configured);
  const used = await quotaUsage(transaction, request.projectId);
  const message = quotaExcess(limits, used, request.added);
  if (message !== null) throw overQuota(message);
}

/** The sentence that says what is exceeded; `null` when all fits. */
export function quotaExcess(limits: QuotaAmounts, used: QuotaAmounts, added: QuotaAmounts): string | null {
  const total = addAmounts(used, added);
  const over = (['containers', 'cpu', 'disk', 'memory'] satisfies QuotaResource[]).filter(
    (resource) => limits[resource] >= 0 && added[resource] > 0 && total[resource] > limits[resource],
  );
  if (over.length === 0) return null;
  return `Quota exceeded for resources: [${over.map((resource) => `'${resource}'`).join(', ')}]`;
}
