import { resourceLinks } from '../../api/links.ts';
import type { ComputeNodeRow } from './compute-node-store.ts';

/** Origin: zun/api/controllers/v1/views/hosts_view.py. */
export function hostView(row: ComputeNodeRow, baseUrl: string): unknown {
  return {
    uuid: row.uuid,
    links: resourceLinks(baseUrl, 'hosts', row.uuid),
    hostname: row.hostname,
    mem_total: row.mem_total,
    mem_used: row.mem_used,
    total_containers: row.total_containers,
    cpus: row.cpus,
    cpu_used: row.cpu_used,
    architecture: row.architecture,
    os_type: row.os_type,
    os: row.os,
    kernel_version: row.kernel_version,
    labels: JSON.parse(row.labels || '{}'),
    disk_total: row.disk_total,
    disk_used: row.disk_used,
    disk_quota_supported: Boolean(row.disk_quota_supported),
    runtimes: JSON.parse(row.runtimes || '[]'),
    enable_cpu_pinning: Boolean(row.enable_cpu_pinning),
  };
}
