import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.ts';
import type { EngineVolumes } from '../../src/local/volumes/engine-volumes.ts';
import type { Networking } from '../../src/networking/networking.ts';
import type { ContainerRuntime } from '../../src/runtime/container-runtime.ts';

/** What is looked at: the memory adapters of a bench, or a real engine's. */
export interface Settled {
  database: Database;
  runtime: Pick<ContainerRuntime, 'list'> & { stats(uuid: string): Promise<{ memoryLimitBytes: number }> };
  engineVolumes: Pick<EngineVolumes, 'list'>;
  networking: Pick<Networking, 'listPorts'>;
  /** The JSON of an answer of the API. */
  ask(method: 'GET', path: string): Promise<Record<string, unknown>>;
}

/** What stands outside a container's row, by what it is; each entry names whom it belongs to. */
export interface Holdings {
  containers: string[];
  workloads: string[];
  /** `uuid network` of workloads' interfaces, without the engine's own bridge. */
  interfaces: string[];
  /** Container uuids of ports; '' = a port that nobody uses. */
  ports: string[];
  /** Engine volumes that Zun made. */
  volumes: string[];
  /** Container uuids of attached volumes. */
  attachments: string[];
  allocations: string[];
  /** Container uuids of rows that say where a volume is mounted. */
  mappings: string[];
  volumeRows: string[];
  tasks: string[];
}

export async function holdings(bench: Settled): Promise<Holdings> {
  const { queries } = bench.database;
  const observations = await bench.runtime.list();
  // An engine tells of those of all projects.
  const volumes = await bench.engineVolumes.list('');
  return {
    containers: (await queries.selectFrom('container').select('uuid').execute()).map((row) => row.uuid ?? ''),
    workloads: observations.map(({ uuid }) => uuid),
    interfaces: observations.flatMap(({ uuid, addresses }) =>
      Object.keys(addresses)
        .filter((network) => network !== 'bridge')
        .map((network) => `${uuid} ${network}`),
    ),
    ports: (await queries.selectFrom('openkeel_local_port').select('container_uuid').execute()).map((row) => row.container_uuid),
    volumes: volumes.filter(({ labels }) => Object.keys(labels).length > 0).map(({ name }) => name),
    attachments: (await queries.selectFrom('openkeel_local_attachment').select('container_uuid').execute()).map(
      (row) => row.container_uuid,
    ),
    allocations: (await queries.selectFrom('openkeel_local_allocation').select('consumer').execute()).map((row) => row.consumer),
    mappings: (await queries.selectFrom('volume_mapping').select('container_uuid').execute()).map((row) => row.container_uuid ?? ''),
    volumeRows: (await queries.selectFrom('volume').select('uuid').execute()).map((row) => row.uuid ?? ''),
    tasks: (await queries.selectFrom('openkeel_task').select('kind').execute()).map((row) => row.kind),
  };
}

/** No task, no row in the middle of something, no action left open, and nothing that belongs to no row or is not what its row says. */
export async function assertSettled(bench: Settled): Promise<void> {
  const held = await holdings(bench);
  assert.deepEqual(held.tasks, [], 'tasks have ended');
  const known = new Set(held.containers);
  for (const kind of ['workloads', 'attachments', 'allocations', 'mappings'] as const) {
    assert.deepEqual(
      held[kind].filter((uuid) => !known.has(uuid)),
      [],
      `${kind} without a container`,
    );
  }
  assert.deepEqual(
    held.ports.filter((uuid) => uuid !== '' && !known.has(uuid)),
    [],
    'ports without a container',
  );
  assert.deepEqual(
    held.volumes.toSorted(),
    held.volumeRows
      .map((uuid) => `zun-${uuid}`)
      .filter((name) => held.volumes.includes(name))
      .toSorted(),
  );
  for (const uuid of held.containers) await assertRowTrue(bench, uuid, held);
  await assertActionsClosed(bench);
}

async function assertRowTrue(bench: Settled, uuid: string, held: Holdings): Promise<void> {
  const row = await bench.ask('GET', `/v1/containers/${uuid}`);
  const about = `container in ${row.status}: ${row.status_reason}`;
  assert.equal(row.task_state, null, about);
  assert.ok(['Error', 'Created', 'Running', 'Stopped', 'Paused'].includes(String(row.status)), about);
  if (row.status === 'Error') assert.ok(row.status_reason, 'Error has a reason');
  else assert.ok(held.workloads.includes(uuid), `${about}; its workload is there`);
  const addresses = row.addresses as Record<string, { port: string }[]>;
  const shown = Object.values(addresses).flatMap((list) => list.map(({ port }) => port));
  const ports = (await bench.networking.listPorts(uuid)).map(({ id }) => id);
  const hidden = ports.filter((port) => !shown.includes(port));
  assert.deepEqual(hidden, [], `${about}; it shows its ports`);
  if (held.workloads.includes(uuid)) {
    assert.deepEqual(ports.toSorted(), [...new Set(shown)].toSorted(), `${about}; its ports are those it shows`);
    assert.equal(
      held.interfaces.filter((entry) => entry.startsWith(uuid)).length,
      Object.keys(addresses).length,
      `${about}; its interfaces`,
    );
    await assertLimits(bench, uuid, row);
  }
}

async function assertLimits(bench: Settled, uuid: string, row: Record<string, unknown>): Promise<void> {
  const claim = await bench.database.queries
    .selectFrom('openkeel_local_allocation')
    .select(['vcpu', 'memory_mb'])
    .where('consumer', '=', uuid)
    .executeTakeFirst();
  assert.deepEqual({ ...claim }, { vcpu: Math.ceil(Number(row.cpu)), memory_mb: Number(row.memory) }, 'the claim is what the row says');
  if (row.status !== 'Running') return;
  const { memoryLimitBytes } = await bench.runtime.stats(uuid);
  assert.equal(memoryLimitBytes / 1024 / 1024, Number(row.memory), "the engine's limit is what the row says");
}

/** Every action and its events have ended, those that failed with a reason. */
export async function assertActionsClosed({ database: { queries } }: Pick<Settled, 'database'>): Promise<void> {
  const actions = await queries.selectFrom('container_actions').selectAll().execute();
  const events = await queries.selectFrom('container_actions_events').selectAll().execute();
  for (const action of actions) {
    assert.ok(action.finish_time, `action ${action.action} has ended`);
    const own = events.filter((event) => event.action_id === action.id);
    // A create that has started its container has an event of that as well.
    const last = own.toSorted((one, other) => one.id - other.id).at(-1);
    assert.equal(last?.result, action.message === null ? 'Success' : 'Error', `event of ${action.action}`);
    assert.ok(
      own.every((event) => event.finish_time && (event.result === 'Success' || event.traceback)),
      `events of ${action.action} have ended`,
    );
    if (action.message !== null) assert.ok(last?.traceback, 'a failed action has its reason');
  }
}
