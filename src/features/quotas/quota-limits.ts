/** The resources that quotas count, in the order that answers list them. Origin: zun/common/quota.py. */
export const quotaResources = ['containers', 'memory', 'disk', 'cpu'] as const;
export type QuotaResource = (typeof quotaResources)[number];

/** By resource: containers and capsules, MiB, GiB, cores. As a limit -1 means none. */
export type QuotaAmounts = Record<QuotaResource, number>;

/** The class whose limits are every project's defaults. */
export const defaultQuotaClass = 'default';

/** The first of the sources that says anything of a resource wins. */
export function firstLimits(...sources: [...Partial<QuotaAmounts>[], QuotaAmounts]): QuotaAmounts {
  const limit = (resource: QuotaResource): number => {
    for (const source of sources) if (source[resource] !== undefined) return source[resource];
    return -1;
  };
  return { containers: limit('containers'), memory: limit('memory'), disk: limit('disk'), cpu: limit('cpu') };
}
