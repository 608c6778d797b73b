import type { WorkloadObservation } from '../../src/runtime/container-runtime.ts';
import type { World } from './world.ts';

export interface SnapshotRow {
  uuid: string;
  project: string;
  /** 0 container, 1 capsule, 2 and 3 within a capsule. */
  type: number;
  /** Of the capsule that it is in, or its own: whose tasks are about it. */
  subject: string;
  host: string | null;
  status: string;
  statusReason: string | null;
  taskState: string | null;
  cpu: number;
  memory: number;
  disk: number;
  /** Ids of the ports that it shows. */
  ports: string[];
  networks: number;
}

/** Everything that there is at one moment, in the database and on the nodes. */
export interface Snapshot {
  rows: Map<string, SnapshotRow>;
  tasks: { id: number; kind: string; subject: string; state: string; deadline: number }[];
  /** By id, the container that holds it; '' = nobody. */
  ports: Map<string, string>;
  /** Consumers of resources, by uuid. */
  allocations: Map<string, { vcpu: number; memory: number }>;
  /** Containers that hold a volume. */
  attachments: string[];
  /** By project, the limits that an administrator has set. */
  quotas: Map<string, Record<string, number>>;
  workloads: { node: string; workload: WorkloadObservation }[];
}

export async function takeSnapshot(world: World): Promise<Snapshot> {
  const { queries } = world.observer;
  const all = await queries
    .selectFrom('container')
    .leftJoin('container as owner', 'owner.id', 'container.capsule_id')
    .selectAll('container')
    .select(['owner.uuid as ownerUuid', 'owner.host as ownerHost'])
    .orderBy('container.id')
    .execute();
  const rows = all.map((row): [string, SnapshotRow] => {
    const addresses = Object.values(JSON.parse(row.addresses ?? '{}') ?? {}) as { port: string }[][];
    return [
      row.uuid ?? '',
      {
        uuid: row.uuid ?? '',
        project: row.project_id ?? '',
        type: row.container_type ?? 0,
        subject: row.ownerUuid ?? row.uuid ?? '',
        host: row.ownerHost ?? row.host,
        status: row.status ?? '',
        statusReason: row.status_reason,
        taskState: row.task_state,
        cpu: row.cpu ?? 0,
        memory: Number.parseInt(row.memory || '0', 10),
        disk: row.disk ?? 0,
        ports: [...new Set(addresses.flat().map(({ port }) => port))].toSorted(),
        networks: addresses.length,
      },
    ];
  });
  const tasks = await queries.selectFrom('openkeel_task').select(['id', 'kind', 'subject', 'state', 'deadline']).orderBy('id').execute();
  const ports = await queries.selectFrom('openkeel_local_port').select(['id', 'container_uuid']).execute();
  const allocations = await queries.selectFrom('openkeel_local_allocation').selectAll().execute();
  const attachments = await queries.selectFrom('openkeel_local_attachment').select('container_uuid').execute();
  const quotas = new Map<string, Record<string, number>>();
  for (const { project_id: project, resource, hard_limit: limit } of await queries.selectFrom('quotas').selectAll().execute())
    quotas.set(project ?? '', { ...quotas.get(project ?? ''), [resource]: limit ?? -1 });
  const workloads = [];
  for (const { name, engine } of world.cluster.nodes) for (const workload of await engine.list()) workloads.push({ node: name, workload });
  return {
    rows: new Map(rows),
    tasks: tasks.map((task) => ({ ...task, deadline: Number(task.deadline) })),
    ports: new Map(ports.map((port) => [port.id, port.container_uuid])),
    allocations: new Map(allocations.map((row) => [row.consumer, { vcpu: row.vcpu, memory: row.memory_mb }])),
    attachments: attachments.map((row) => row.container_uuid),
    quotas,
    workloads,
  };
}
