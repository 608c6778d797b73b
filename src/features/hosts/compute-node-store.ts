import type { Selectable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { type Page, type PageMarker, paginate } from '../../db/page.ts';
import type { Schema } from '../../db/schema.generated.ts';
import type { NodeFacts } from '../../runtime/container-runtime.ts';
import { databaseTime } from '../../telemetry/database-time.ts';

/** A row of `compute_node`. Memory in MiB, disk in GiB; `labels` and `runtimes` are JSON. */
export type ComputeNodeRow = Selectable<Schema['compute_node']>;

/** Columns that a list may be sorted by. */
export const computeNodeColumns: ReadonlySet<string> = new Set([
  'created_at',
  'updated_at',
  'uuid',
  'hostname',
  'mem_total',
  'mem_free',
  'mem_available',
  'mem_used',
  'total_containers',
  'running_containers',
  'paused_containers',
  'stopped_containers',
  'cpus',
  'cpu_used',
  'architecture',
  'os_type',
  'os',
  'kernel_version',
  'labels',
  'disk_total',
  'disk_used',
  'disk_quota_supported',
  'runtimes',
  'enable_cpu_pinning',
  'rp_uuid',
]);

/** At most two, which is enough to see that a hostname is not unique. */
export async function findComputeNodes(queries: Queries, ident: { uuid: string } | { hostname: string }): Promise<ComputeNodeRow[]> {
  const query = queries.selectFrom('compute_node').selectAll();
  const found = 'uuid' in ident ? query.where('uuid', '=', ident.uuid) : query.where('hostname', '=', ident.hostname);
  return found.limit(2).execute();
}

export async function listComputeNodes(queries: Queries, page: Page, marker: PageMarker | null): Promise<ComputeNodeRow[]> {
  return paginate(queries.selectFrom('compute_node').selectAll(), page, marker, 'uuid').execute();
}

/** Of every node that has reported. */
export async function hostnames(queries: Queries): Promise<string[]> {
  const rows = await queries.selectFrom('compute_node').select('hostname').orderBy('hostname').execute();
  return rows.map(({ hostname }) => hostname);
}

/** What the containers and capsules of a host were promised, running or not. Origin: compute_node_tracker.py. */
export interface NodeUsage {
  cpu: number;
  memoryMiB: number;
  diskGiB: number;
}

/** Containers and capsules; what is inside a capsule is in the capsule's own figures. */
const usingTypes = [0, 1];

export async function nodeUsage(queries: Queries, hostname: string): Promise<NodeUsage> {
  const rows = await queries
    .selectFrom('container')
    .select(['cpu', 'memory', 'disk'])
    .where('host', '=', hostname)
    .where('container_type', 'in', usingTypes)
    .execute();
  const usage = { cpu: 0, memoryMiB: 0, diskGiB: 0 };
  for (const row of rows) {
    usage.cpu += row.cpu ?? 0;
    usage.memoryMiB += Number.parseInt(row.memory || '0', 10);
    usage.diskGiB += row.disk ?? 0;
  }
  return { ...usage, cpu: Math.round(usage.cpu * 1000) / 1000 };
}

/** What a node is, has and has in use. */
export interface ReportedNode {
  hostname: string;
  /** Of a node that was not known, and has no `uid` of its own. */
  newUuid: string;
  facts: NodeFacts;
  /** What is for containers; images have the rest. */
  diskGiB: number;
  usage: NodeUsage;
  cpuPinning: boolean;
  /** `null` where the machine does not tell. */
  memoryAvailableMiB: number | null;
  /** As `numaTopology` makes it. */
  numaTopology: string;
}

/** No PCI device is passed to containers. Origin: zun/objects/pci_device_pool.py, a PciDevicePoolList. */
const noPciDevices = JSON.stringify({
  'zun_object.name': 'PciDevicePoolList',
  'zun_object.namespace': 'zun',
  'zun_object.version': '1.0',
  'zun_object.data': { objects: [] },
});

/**
 * Writes every column of a node, the first time with a uuid, which is its resource provider's too. `running_containers` and its like are the engine's
 * counts; the original counts all containers of the host as running. Origin: zun/compute/compute_node_tracker.py.
 */
export async function saveComputeNode(queries: Queries, node: ReportedNode, now: number): Promise<ComputeNodeRow> {
  const { hostname, facts, usage } = node;
  const free = Math.max(0, facts.memoryTotalMiB - usage.memoryMiB);
  const figures = {
    hostname,
    mem_total: facts.memoryTotalMiB,
    mem_used: usage.memoryMiB,
    mem_free: free,
    mem_available: node.memoryAvailableMiB ?? free,
    cpus: facts.cpus,
    cpu_used: usage.cpu,
    disk_total: node.diskGiB,
    disk_used: usage.diskGiB,
    disk_quota_supported: facts.diskQuotaSupported,
    total_containers: facts.containers.total,
    running_containers: facts.containers.running,
    paused_containers: facts.containers.paused,
    stopped_containers: facts.containers.stopped,
    architecture: facts.architecture.slice(0, 32),
    os_type: facts.osType.slice(0, 32),
    os: facts.os.slice(0, 64),
    kernel_version: facts.kernelVersion.slice(0, 128),
    labels: JSON.stringify(facts.labels),
    runtimes: JSON.stringify(facts.runtimes),
    enable_cpu_pinning: node.cpuPinning,
    numa_topology: node.numaTopology,
    pci_stats: noPciDevices,
  };
  const [existing] = await findComputeNodes(queries, { hostname });
  const uuid = existing?.uuid ?? facts.uid ?? node.newUuid;
  const at = databaseTime(now);
  if (existing) {
    await queries
      .updateTable('compute_node')
      .set({ ...figures, updated_at: at })
      .where('uuid', '=', uuid)
      .execute();
  } else {
    const row = { ...figures, uuid, rp_uuid: uuid, created_at: at };
    await queries.insertInto('compute_node').values(row).execute();
  }
  return queries.selectFrom('compute_node').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();
}
