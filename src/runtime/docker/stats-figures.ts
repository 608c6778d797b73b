import type { WorkloadStats } from '../container-runtime.ts';

/** What this adapter reads of `GET /containers/{id}/stats`. */
export interface EngineStats {
  cpu_stats?: { cpu_usage?: { total_usage?: number }; system_cpu_usage?: number };
  memory_stats?: { usage?: number; limit?: number; stats?: { total_inactive_file?: number; inactive_file?: number } };
  blkio_stats?: { io_service_bytes_recursive?: { op: string; value: number }[] | null };
  networks?: Record<string, { rx_bytes: number; tx_bytes: number }>;
}

/**
 * Zun's docker/driver.py `stats`: processor time of the workload over that of the machine since each began, in percent; memory
 * without the page cache that is easily given back (cgroup v1: `total_inactive_file`, v2: `inactive_file`).
 * `systemCpuNanoseconds` replaces the engine's figure where it has none that is usable.
 */
export function statsFigures(stats: EngineStats, systemCpuNanoseconds?: number): WorkloadStats {
  const system = systemCpuNanoseconds ?? stats.cpu_stats?.system_cpu_usage ?? 0;
  const used = stats.cpu_stats?.cpu_usage?.total_usage ?? 0;
  const memory = stats.memory_stats ?? {};
  const cache = memory.stats?.total_inactive_file || memory.stats?.inactive_file || 0;
  const networks = Object.values(stats.networks ?? {});
  return {
    cpuPercent: system > 0 ? (used / system) * 100 : 0,
    memoryUsedBytes: Math.max(0, (memory.usage ?? 0) - cache),
    memoryLimitBytes: memory.limit ?? 0,
    blockReadBytes: blockBytes(stats, 'read'),
    blockWriteBytes: blockBytes(stats, 'write'),
    networkReceivedBytes: networks.reduce((sum, network) => sum + network.rx_bytes, 0),
    networkSentBytes: networks.reduce((sum, network) => sum + network.tx_bytes, 0),
  };
}

/** The operation is `Read` on cgroup v1 and `read` on v2. */
function blockBytes(stats: EngineStats, operation: 'read' | 'write'): number {
  const entries = stats.blkio_stats?.io_service_bytes_recursive ?? [];
  return entries.filter(({ op }) => op.toLowerCase() === operation).reduce((sum, { value }) => sum + value, 0);
}
