import type { Queries } from '../../db/database.ts';
import { TransactionConflict } from '../../db/transaction-conflict.ts';
import { isUniqueViolation } from '../../db/unique-violation.ts';
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
  request: { projectId: string; added: QuotaAmounts; configured: QuotaAmounts; now: number },
): Promise<void> {
  await lockProject(transaction, request.projectId, request.now);
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

/**
 * Takes the project's row until the transaction ends: an UPDATE locks it on every database, where SELECT … FOR UPDATE would have no
 * place on SQLite. It changes the row each time, since Galera certifies only what has changed: two nodes must not both let the last
 * container through. Two first transactions of a project meet at the primary key; the slower one runs again.
 */
async function lockProject(transaction: Queries, projectId: string, now: number): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('openkeel_project_lock')
    .set((row) => ({ taken: row('taken', '+', 1) }))
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  try {
    await transaction.insertInto('openkeel_project_lock').values({ project_id: projectId, taken: now }).execute();
  } catch (error) {
    throw isUniqueViolation(error) ? new TransactionConflict(error) : error;
  }
}
