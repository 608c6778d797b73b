import type { Queries } from '../../db/database.ts';
import type { QuotaAmounts } from './quota-limits.ts';

/** Containers and capsules; what is inside a capsule is in the capsule's own figures. See containers/container.ts. */
const countedTypes = [0, 1];
/** Cores are summed as whole millionths: 0.1 + 0.2 is 0.3. */
const millionths = 1_000_000;

/**
 * What a project uses now, in one query. The original leaves capsules out, and adds floats.
 * Origin: zun/db/sqlalchemy/api.py (count_usage), zun/common/quota.py.
 */
export async function quotaUsage(queries: Queries, projectId: string): Promise<QuotaAmounts> {
  const rows = await queries
    .selectFrom('container')
    .select(({ fn }) => ['cpu', 'memory', 'disk', fn.countAll<number | string>().as('count')])
    .where('project_id', '=', projectId)
    .where('container_type', 'in', countedTypes)
    .groupBy(['cpu', 'memory', 'disk'])
    .execute();
  const usage: QuotaAmounts = { containers: 0, memory: 0, disk: 0, cpu: 0 };
  let cpuMillionths = 0;
  for (const row of rows) {
    const count = Number(row.count);
    usage.containers += count;
    usage.memory += count * Number.parseInt(row.memory || '0', 10);
    usage.disk += count * (row.disk ?? 0);
    cpuMillionths += count * Math.round((row.cpu ?? 0) * millionths);
  }
  usage.cpu = cpuMillionths / millionths;
  return usage;
}

/** Adds amounts without the errors of binary fractions. */
export function addAmounts(one: QuotaAmounts, other: QuotaAmounts): QuotaAmounts {
  return {
    containers: one.containers + other.containers,
    memory: one.memory + other.memory,
    disk: one.disk + other.disk,
    cpu: (Math.round(one.cpu * millionths) + Math.round(other.cpu * millionths)) / millionths,
  };
}
