import type { NodeFacts, WorkloadObservation } from '../container-runtime.ts';

/** The nodes of a cluster as one: amounts added up, the rest as the first has it. Pure. */
export function clusterFacts(nodes: NodeFacts[], observations: WorkloadObservation[]): NodeFacts {
  const [first] = nodes;
  const sum = (amount: (node: NodeFacts) => number) => nodes.reduce((total, node) => total + amount(node), 0);
  const count = (...statuses: string[]) => observations.filter(({ state }) => statuses.includes(state.status)).length;
  return {
    hostname: first?.hostname ?? '',
    cpus: sum(({ cpus }) => cpus),
    memoryTotalMiB: sum(({ memoryTotalMiB }) => memoryTotalMiB),
    diskTotalGiB: sum(({ diskTotalGiB }) => diskTotalGiB),
    diskUsedGiB: sum(({ diskUsedGiB }) => diskUsedGiB),
    diskQuotaSupported: true,
    architecture: first?.architecture ?? '',
    osType: first?.osType ?? 'linux',
    os: first?.os ?? '',
    kernelVersion: first?.kernelVersion ?? '',
    labels: {},
    runtimes: first?.runtimes ?? [],
    containers: {
      total: observations.length,
      running: count('running', 'restarting'),
      paused: count('paused'),
      stopped: count('created', 'exited', 'dead'),
    },
  };
}
