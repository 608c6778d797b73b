import type { Database, Queries } from '../../db/database.ts';
import type { NodeInventory } from '../../scheduling/inventory.ts';
import type { Amounts, Room } from './local-room.ts';

/** A row of `openkeel_local_node`. */
export interface LocalNode extends Room {
  provider: string;
  hostname: string;
  /** What is claimed on it. */
  used: Amounts;
  /** By its service's row of this moment: nothing new is placed on it. */
  disabled: boolean;
}

/** Writes what a node has. */
export async function saveLocalNode(database: Database, provider: string, hostname: string, inventory: NodeInventory): Promise<void> {
  const { vcpu, memoryMb, diskGb } = inventory;
  const row = {
    hostname,
    vcpu,
    most_vcpu: Math.floor(vcpu * inventory.cpuAllocationRatio),
    memory_mb: memoryMb,
    most_memory_mb: Math.floor(memoryMb * inventory.memoryAllocationRatio),
    disk_gb: diskGb,
    most_disk_gb: Math.floor(diskGb * inventory.diskAllocationRatio),
  };
  await database.transaction(async (transaction) => {
    const updated = await transaction.updateTable('openkeel_local_node').set(row).where('provider', '=', provider).executeTakeFirst();
    if (updated.numUpdatedRows > 0n) return;
    await transaction
      .insertInto('openkeel_local_node')
      .values({ provider, ...row })
      .execute();
  });
}

/** All nodes, one host's, or one; with what is claimed on each. One query. */
export async function localNodes(queries: Queries, only: { hostname?: string; provider?: string }): Promise<LocalNode[]> {
  let query = queries
    .selectFrom('openkeel_local_node as node')
    .leftJoin('openkeel_local_allocation as claim', 'claim.provider', 'node.provider')
    .leftJoin('zun_service as service', (join) => join.onRef('service.host', '=', 'node.hostname').on('service.binary', '=', 'zun-compute'))
    .selectAll('node')
    .select('service.disabled')
    .select(({ fn }) => [
      fn.sum('claim.vcpu').as('used_vcpu'),
      fn.sum('claim.memory_mb').as('used_memory_mb'),
      fn.sum('claim.disk_gb').as('used_disk_gb'),
    ])
    .groupBy(['node.provider', 'node.hostname', 'node.vcpu', 'node.most_vcpu', 'node.memory_mb', 'node.most_memory_mb'])
    .groupBy(['node.disk_gb', 'node.most_disk_gb', 'service.disabled'])
    .orderBy('node.hostname');
  if (only.hostname !== undefined) query = query.where('node.hostname', '=', only.hostname);
  if (only.provider !== undefined) query = query.where('node.provider', '=', only.provider);
  return (await query.execute()).map((row) => ({
    provider: row.provider,
    hostname: row.hostname,
    total: { vcpu: row.vcpu, memoryMb: row.memory_mb, diskGb: row.disk_gb },
    most: { vcpu: Number(row.most_vcpu), memoryMb: Number(row.most_memory_mb), diskGb: Number(row.most_disk_gb) },
    disabled: Boolean(row.disabled),
    used: amounts(row.used_vcpu, row.used_memory_mb, row.used_disk_gb),
  }));
}

/** What is claimed on a node beside what the consumer has. */
export async function usedWithout(queries: Queries, provider: string, consumer: string): Promise<Amounts> {
  const sums = await queries
    .selectFrom('openkeel_local_allocation')
    .select(({ fn }) => [fn.sum('vcpu').as('vcpu'), fn.sum('memory_mb').as('memory_mb'), fn.sum('disk_gb').as('disk_gb')])
    .where('provider', '=', provider)
    .where('consumer', '!=', consumer)
    .executeTakeFirst();
  return amounts(sums?.vcpu, sums?.memory_mb, sums?.disk_gb);
}

/** Sums of no rows are null, and of some databases texts. */
const amounts = (vcpu: unknown, memoryMb: unknown, diskGb: unknown): Amounts => ({
  vcpu: Number(vcpu ?? 0),
  memoryMb: Number(memoryMb ?? 0),
  diskGb: Number(diskGb ?? 0),
});
