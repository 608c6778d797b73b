import type { NodeFacts, WorkloadState } from '../container-runtime.ts';

/** Facts of an invented machine with four cores and 8 GiB, except where `given` says otherwise. Counts are of the workloads. */
export function memoryNode(statuses: WorkloadState['status'][], given: Partial<NodeFacts> = {}): NodeFacts {
  const count = (...wanted: WorkloadState['status'][]) => statuses.filter((status) => wanted.includes(status)).length;
  return {
    hostname: 'memory',
    cpus: 4,
    memoryTotalMiB: 8192,
    diskTotalGiB: 100,
    diskUsedGiB: 0,
    diskQuotaSupported: true,
    architecture: 'x86_64',
    osType: 'linux',
    os: 'Memory',
    kernelVersion: '0',
    labels: {},
    runtimes: ['runc'],
    ...given,
    containers: {
      total: statuses.length,
      running: count('running', 'restarting'),
      paused: count('paused'),
      stopped: count('created', 'exited'),
    },
  };
}
