import type { NumaNode } from './host-filters.ts';

/**
 * `compute_node.numa_topology` of a machine's nodes, none of whose processors is pinned. Origin: zun/objects/numa.py (_to_dict). Never
 * NULL, which the original cannot read.
 */
export function numaTopology(nodes: { id: number; cpus: number[]; memoryMiB: number }[]): string {
  const all = nodes.map(({ id, cpus, memoryMiB }) => ({
    id,
    cpuset: cpus,
    pinned_cpus: [],
    mem_total: memoryMiB,
    mem_available: memoryMiB,
  }));
  return JSON.stringify({ nodes: all });
}

interface StoredTopology {
  nodes?: { id: number; cpuset: number[]; pinned_cpus: number[]; mem_available: number }[];
}

/** The nodes of what is stored; none for NULL. */
export function numaNodesOf(stored: string | null): NumaNode[] {
  const { nodes = [] } = JSON.parse(stored || '{}') as StoredTopology;
  return nodes.map(({ id, cpuset, pinned_cpus: pinnedCpus, mem_available: memAvailable }) => ({ id, cpuset, pinnedCpus, memAvailable }));
}
