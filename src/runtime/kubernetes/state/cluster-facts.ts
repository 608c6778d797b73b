import type { NodeFacts } from '../../container-runtime.ts';

/** The nodes of a cluster as one: amounts added up, the rest as the first has it. Containers are not counted: that would list them all. Pure. */
export function clusterFacts(nodes: NodeFacts[]): NodeFacts {
  const [first] = nodes;
  const sum = (amount: (node: NodeFacts) => number) => nodes.reduce((total, node) => total + amount(node), 0);
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
    containers: { total: 0, running: 0, paused: 0, stopped: 0 },
  };
}
