import type { Queries } from '../db/database.ts';
import { numaNodesOf } from '../rules/numa-topology.ts';
import { fromDatabaseTime } from '../telemetry/database-time.ts';
import type { HostSource } from './scheduler.ts';

/** Nodes with their `zun-compute` service, in the order of their rows; one query. */
export function databaseHostSource(queries: Queries): HostSource {
  return async (resourceProviderUuids) => {
    const rows = await queries
      .selectFrom('compute_node')
      .innerJoin('zun_service', 'zun_service.host', 'compute_node.hostname')
      .selectAll('compute_node')
      .select([
        'zun_service.disabled as service_disabled',
        'zun_service.forced_down',
        'zun_service.last_seen_up',
        'zun_service.availability_zone',
        'zun_service.created_at as service_created_at',
        'zun_service.updated_at as service_updated_at',
      ])
      .where('compute_node.rp_uuid', 'in', resourceProviderUuids)
      .where('zun_service.binary', '=', 'zun-compute')
      .orderBy('compute_node.hostname')
      .execute();
    return rows.map((row) => ({
      hostname: row.hostname,
      resourceProviderUuid: row.rp_uuid,
      service: {
        disabled: Boolean(row.service_disabled),
        forcedDown: Boolean(row.forced_down),
        availabilityZone: row.availability_zone,
        lastSeenUp: fromDatabaseTime(row.last_seen_up),
        createdAt: fromDatabaseTime(row.service_created_at),
        updatedAt: fromDatabaseTime(row.service_updated_at),
      },
      cpus: row.cpus,
      cpuUsed: row.cpu_used,
      memTotal: row.mem_total,
      memUsed: row.mem_used,
      diskTotal: row.disk_total,
      diskUsed: row.disk_used,
      diskQuotaSupported: Boolean(row.disk_quota_supported),
      labels: JSON.parse(row.labels || '{}'),
      runtimes: JSON.parse(row.runtimes || '[]'),
      enableCpuPinning: Boolean(row.enable_cpu_pinning),
      numaNodes: numaNodesOf(row.numa_topology),
    }));
  };
}
