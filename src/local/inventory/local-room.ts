import type { ResourceRequest } from '../../scheduling/inventory.ts';

export type Amounts = Pick<ResourceRequest, 'vcpu' | 'memoryMb' | 'diskGb'>;

/** What a node is, and how much of it may be promised in all. */
export interface Room {
  total: Amounts;
  most: Amounts;
}

/** Whether a claim fits beside those that are there. A disk that is not asked for needs none. */
export function hasRoom({ total, most }: Room, used: Amounts, asked: Amounts): boolean {
  const fits = (resource: keyof Amounts) => asked[resource] <= total[resource] && used[resource] + asked[resource] <= most[resource];
  return fits('vcpu') && fits('memoryMb') && (asked.diskGb === 0 || fits('diskGb'));
}
