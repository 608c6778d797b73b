import type { PolicyTarget } from '../../api/authorizer.ts';
import type { ApiRequest } from '../../api/operation.ts';
import { invalidParameterValue } from '../../errors/catalogue.ts';
import { type QuotaAmounts, quotaResources } from './quota-limits.ts';

/** Rules of `/v1/quotas` are checked against the project in the path, which has no user. */
export function quotaTarget(request: ApiRequest): PolicyTarget {
  return { project_id: request.path.project_id ?? '', user_id: '' };
}

/** What a column of `quotas` holds. */
const highest = 2_147_483_647;

/**
 * The limits in body and query; the schema has let only whole numbers through, as numbers or text. One that no column holds is 400,
 * where the original answers 500.
 */
export function requestedLimits(params: Record<string, unknown>): Partial<QuotaAmounts> {
  const limits: Partial<QuotaAmounts> = {};
  for (const resource of quotaResources) {
    if (params[resource] === undefined) continue;
    const limit = Number(params[resource]);
    if (limit > highest)
      throw invalidParameterValue(`Invalid value '${params[resource]}' for ${resource}: at most ${highest} is possible.`);
    limits[resource] = limit;
  }
  return limits;
}
