import type { Insertable } from 'kysely';
import type { Database } from '../../../src/db/database.ts';
import type { Schema } from '../../../src/db/schema.generated.ts';
import type { Container } from '../../../src/features/containers/container.ts';
import { fullRow } from '../../../src/features/containers/container-row.ts';
import { observedChanges } from '../../../src/features/containers/observed-changes.ts';
import type { WorkloadObservation } from '../../../src/runtime/container-runtime.ts';
import { systemClock } from '../../../src/telemetry/clock.ts';
import { databaseTime } from '../../../src/telemetry/database-time.ts';
import { numberedUuid, sampleContainer } from '../../databases/suite/sample-container.ts';
import type { Member, Population } from './population.ts';

/** Fills the rows of a population, as they are once state sync has looked at all of it. */
export async function populateDatabase(database: Database, population: Population, observations: WorkloadObservation[]): Promise<void> {
  const observed = new Map(observations.map((observation) => [observation.uuid, observation]));
  const now = systemClock.now();
  await insertAll(
    database,
    'container',
    population.members.map((member, index) => rowOf(member, index, observed.get(member.uuid) ?? null, now)),
  );
  const node = {
    mem_total: 65_536,
    mem_free: 65_536,
    mem_available: 65_536,
    mem_used: 0,
    cpus: 32,
    cpu_used: 0,
    disk_total: 500,
    disk_used: 0,
  };
  const counts = { total_containers: 0, running_containers: 0, paused_containers: 0, stopped_containers: 0 };
  const flags = { disk_quota_supported: false, enable_cpu_pinning: false };
  const hosts = population.nodes.map((hostname, index) => ({ hostname, uuid: numberedUuid(index) }));
  await insertAll(
    database,
    'compute_node',
    hosts.map(({ hostname, uuid }) => ({ ...node, ...counts, ...flags, hostname, uuid, rp_uuid: uuid })),
  );
  const alive = { binary: 'zun-compute', report_count: 1, created_at: databaseTime(now), last_seen_up: databaseTime(now) };
  await insertAll(
    database,
    'zun_service',
    hosts.map(({ hostname }) => ({ host: hostname, ...alive })),
  );
  const room = { vcpu: 32, most_vcpu: 512, memory_mb: 65_536, most_memory_mb: 98_304, disk_gb: 500, most_disk_gb: 500 };
  await insertAll(
    database,
    'openkeel_local_node',
    hosts.map(({ hostname, uuid }) => ({ provider: uuid, hostname, ...room })),
  );
  const providers = new Map(hosts.map(({ hostname, uuid }) => [hostname, uuid]));
  await insertAll(
    database,
    'openkeel_local_allocation',
    population.members.map(({ uuid, host }) => ({
      ...{ consumer: uuid, provider: providers.get(host) ?? '' },
      ...{ vcpu: 1, memory_mb: 64, disk_gb: 0 },
    })),
  );
}

function rowOf(member: Member, index: number, observation: WorkloadObservation | null, now: number): Insertable<Schema['container']> {
  const { uuid, projectId, host } = member;
  const address = { addr: '', version: 4 as const, port: uuid, subnet_id: 'subnet', preserve_on_delete: false, by_runtime: 'cluster' };
  const container = sampleContainer({
    ...{ uuid, projectId, host, name: `web-${index}`, image: 'registry.example/team/web:1.2' },
    ...{ status: 'Running', statusReason: null, statusDetail: null, taskState: null, startedAt: null, createdAt: now },
    ...{ command: ['serve', '--port', '8080'], entrypoint: [], workdir: null, hostname: null, ports: [], exposedPorts: null },
    ...{ addresses: { network: [address] }, cpu: 0.1, memory: '64', disk: 0, healthcheck: null, autoHeal: false, runtime: null },
  });
  const changes = observedChanges({ ...container, id: 0, updatedAt: null } satisfies Container, observation, now, { force: true });
  return { ...fullRow({ ...container, ...changes }), created_at: databaseTime(now), updated_at: databaseTime(now) };
}

const batch = 200;

async function insertAll<Table extends keyof Schema>(database: Database, table: Table, rows: Insertable<Schema[Table]>[]): Promise<void> {
  for (let from = 0; from < rows.length; from += batch) {
    const some = rows.slice(from, from + batch);
    await database.queries
      .insertInto(table)
      .values(some as never)
      .execute();
  }
}
