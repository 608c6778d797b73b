import type { PolicyTarget } from '../../api/authorizer.ts';
import type { ApiRequest } from '../../api/operation.ts';
import { type QuotaAmounts, quotaResources } from './quota-limits.ts';

/** Rules of `/v1/quotas` are checked against the project in the path, which has no user. */
export function quotaTarget(request: ApiRequest): PolicyTarget {
  return { project_id: request.path.project_id ?? '', user_id: '' };
}

/** The limits in body and query; the schema has let only whole numbers through, as numbers or text. */
export function requestedLimits(params: Record<string, unknown>): Partial<QuotaAmounts> {
  const limits: Partial<QuotaAmounts> = {};
  for (const resource of quotaResources) if (params[resource] !== undefined) limits[resource] = Number(params[resource]);
  return limits;
}
