import type { Queries } from '../../db/database.ts';
import { databaseTime } from '../../telemetry/database-time.ts';
import { defaultQuotaClass, firstLimits, type QuotaAmounts, type QuotaResource, quotaResources } from './quota-limits.ts';

/** A project's own limits. */
export async function projectQuotas(queries: Queries, projectId: string): Promise<Partial<QuotaAmounts>> {
  return limitsOf(
    await queries.selectFrom('quotas').select(['resource', 'hard_limit']).where('project_id', '=', projectId).orderBy('id').execute(),
  );
}

/** The limits of a quota class. */
export async function classQuotas(queries: Queries, className: string): Promise<Partial<QuotaAmounts>> {
  return limitsOf(
    await queries
      .selectFrom('quota_classes')
      .select(['resource', 'hard_limit'])
      .where('class_name', '=', className)
      .orderBy('id')
      .execute(),
  );
}

/** The limits in force: the project's own, then those of the class `default`, then the configured ones. */
export async function effectiveQuotas(queries: Queries, projectId: string, configured: QuotaAmounts): Promise<QuotaAmounts> {
  return firstLimits(await projectQuotas(queries, projectId), await classQuotas(queries, defaultQuotaClass), configured);
}

/** Sets limits of a project, in one transaction with others of the caller. */
export async function setProjectQuotas(queries: Queries, projectId: string, limits: Partial<QuotaAmounts>, now: number): Promise<void> {
  for (const [resource, hardLimit] of Object.entries(limits)) {
    const { numUpdatedRows } = await queries
      .updateTable('quotas')
      .set({ hard_limit: hardLimit, updated_at: databaseTime(now) })
      .where('project_id', '=', projectId)
      .where('resource', '=', resource)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) continue;
    const row = { project_id: projectId, resource, hard_limit: hardLimit, created_at: databaseTime(now) };
    await queries.insertInto('quotas').values(row).execute();
  }
}

export async function setClassQuotas(queries: Queries, className: string, limits: Partial<QuotaAmounts>, now: number): Promise<void> {
  for (const [resource, hardLimit] of Object.entries(limits)) {
    const { numUpdatedRows } = await queries
      .updateTable('quota_classes')
      .set({ hard_limit: hardLimit, updated_at: databaseTime(now) })
      .where('class_name', '=', className)
      .where('resource', '=', resource)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) continue;
    const row = { class_name: className, resource, hard_limit: hardLimit, created_at: databaseTime(now) };
    await queries.insertInto('quota_classes').values(row).execute();
  }
}

/** Puts a project back to the defaults. Origin: zun/db/sqlalchemy/api.py (quota_destroy_all_by_project). */
export async function deleteProjectQuotas(queries: Queries, projectId: string): Promise<void> {
  await queries.deleteFrom('quotas').where('project_id', '=', projectId).execute();
  await queries.deleteFrom('quota_usages').where('project_id', '=', projectId).execute();
}

function limitsOf(rows: { resource: string | null; hard_limit: number | null }[]): Partial<QuotaAmounts> {
  const limits: Partial<QuotaAmounts> = {};
  for (const { resource, hard_limit: limit } of rows) if (isResource(resource) && limit !== null) limits[resource] = limit;
  return limits;
}

const isResource = (name: string | null): name is QuotaResource => quotaResources.some((resource) => resource === name);
