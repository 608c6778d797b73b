import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Insertable, type LogEvent, sql } from 'kysely';
import type { Queries } from '../../../src/db/database.ts';
import type { Schema } from '../../../src/db/schema.generated.ts';
import { actionsOfContainer } from '../../../src/features/actions/action-store.ts';
import type { Container } from '../../../src/features/containers/container.ts';
import { containerPages } from '../../../src/features/containers/container-pages.ts';
import { fullRow } from '../../../src/features/containers/container-row.ts';
import {
  containerByUuid,
  containersOfHost,
  findContainers,
  listContainers,
  markerOf,
  updateContainer,
} from '../../../src/features/containers/container-store.ts';
import { volumesOfContainer } from '../../../src/features/containers/container-volumes.ts';
import { findComputeNodes, nodeUsage } from '../../../src/features/hosts/compute-node-store.ts';
import { findImage, imageExists, listImages } from '../../../src/features/images/image-store.ts';
import { checkQuota } from '../../../src/features/quotas/quota-check.ts';
import { findRegistries } from '../../../src/features/registries/registry-store.ts';
import { findService } from '../../../src/features/services/service-store.ts';
import { TaskStore } from '../../../src/tasks/task-store.ts';
import { randomIds } from '../../../src/telemetry/ids.ts';
import { ManualClock } from '../../bench/task-bench.ts';
import { planOf } from '../explain.ts';
import { type DatabaseSource, rowsOf, type TestDatabase } from '../test-database.ts';
import { numberedUuid, sampleContainer } from './sample-container.ts';

const [containers, hosts, projects] = [10_000, 500, 50];
/** Read whole by design: a row a host, or a limit a project. */
const smallTables = new Set(['compute_node', 'zun_service', 'quotas', 'quota_classes', 'openkeel_project_lock']);
const scope = { projectId: 'project-7' };
const page = { limit: 50, sortKey: 'id', sortDirection: 'asc' as const };

/** What the hot paths cost at 10,000 containers on 500 hosts. */
export function hotPathSuite(source: DatabaseSource): void {
  let database: TestDatabase;
  let statements: LogEvent[] | null = null;
  before(async () => {
    database = await source.open((event) => statements?.push(event));
    await fill(database);
  });
  after(() => database.close());

  const recorded = async (run: () => Promise<unknown>) => {
    statements = [];
    await run();
    const seen = statements;
    statements = null;
    return seen.filter(({ query }) => /^(select|update|delete)/.test(query.sql));
  };

  for (const [name, run] of Object.entries(hotPaths)) {
    test(`${name}: every statement uses an index`, async () => {
      const seen = await recorded(() => run(database));
      assert.ok(seen.length > 0);
      for (const event of seen) {
        const { sql: text, scanned, text: plan } = await planOf(source.kind, database, event);
        assert.deepEqual(
          scanned.filter((table) => !smallTables.has(table)),
          [],
          `${text}\n${plan}`,
        );
      }
    });
  }

  test('state sync has no more than 500 containers in memory at a time, and sees each once', async () => {
    const pages = await pagesOf(database.queries, null);
    assert.deepEqual(
      pages.map((rows) => rows.length),
      Array.from({ length: containers / 500 }, () => 500),
    );
    assert.equal(new Set(pages.flat().map(({ uuid }) => uuid)).size, containers);
  });

  if (source.kind === 'mariadb') {
    test('a page of 50 reads about two rows for each that it shows, whatever the size of the table and wherever the page begins', async () => {
      const marker = await markerOf(database.queries, numberedUuid(containers - 1000 + 7), scope, 'id');
      const reads = async () => ({
        first: await rowsRead(database, (queries) => listContainers(queries, scope, {}, page, null)),
        late: await rowsRead(database, (queries) => listContainers(queries, scope, {}, page, marker)),
        everybody: await rowsRead(database, (queries) => listContainers(queries, 'all-projects', {}, page, marker)),
      });
      for (const [which, count] of Object.entries(await reads())) assert.ok(count <= 2 * page.limit + 5, `${which}: ${count} rows read`);
    });
  }
}

const clock = new ManualClock();

async function pagesOf(queries: Queries, host: string | null): Promise<Container[][]> {
  const pages: Container[][] = [];
  for await (const rows of containerPages(queries, host)) pages.push(rows);
  return pages;
}

const hotPaths: Record<string, (database: TestDatabase) => Promise<unknown>> = {
  'show by uuid': ({ queries }) => findContainers(queries, { uuid: numberedUuid(77) }, scope),
  'show by name': ({ queries }) => findContainers(queries, { name: 'name-77' }, scope),
  'read for a task': ({ queries }) => containerByUuid(queries, numberedUuid(77)),
  'first page of a project': ({ queries }) => listContainers(queries, scope, {}, page, null),
  'later page of a project': async ({ queries }) =>
    listContainers(queries, scope, {}, page, await markerOf(queries, numberedUuid(5007), scope, 'id')),
  'page of everybody': ({ queries }) => listContainers(queries, 'all-projects', {}, page, null),
  'write of a row': ({ queries }) => updateContainer(queries, numberedUuid(77), { status: 'Running' }, 0),
  'running containers of a host': ({ queries }) => containersOfHost(queries, 'host-77', { status: 'Running' }),
  'state sync of a host': ({ queries }) => pagesOf(queries, 'host-77'),
  'state sync of all hosts': ({ queries }) => pagesOf(queries, null),
  'usage of a host': ({ queries }) => nodeUsage(queries, 'host-77'),
  'volumes of a container': ({ queries }) => volumesOfContainer(queries, numberedUuid(77)),
  'actions of a container': ({ queries }) => actionsOfContainer(queries, numberedUuid(77)),
  'quota check': (database) =>
    database.transaction((transaction) =>
      checkQuota(transaction, { ...scope, added: one, configured: { containers: -1, cpu: -1, memory: -1, disk: -1 } }),
    ),
  'claim, hold and end of a task': async (database) => {
    const store = new TaskStore(database, clock, randomIds);
    const task = await store.claim('w');
    if (task) await store.write(task, (queries) => store.remove(queries, task));
  },
  'cancel of tasks': async (database) => new TaskStore(database, clock, randomIds).cancel(database.queries, numberedUuid(5)),
  'image by uuid': ({ queries }) => findImage(queries, numberedUuid(77), 'all-projects'),
  'images of a project': ({ queries }) => listImages(queries, scope.projectId, page, null),
  'image on a host': ({ queries }) => imageExists(queries, 'repo-77', 'latest', 'host-77'),
  'registry by name': ({ queries }) => findRegistries(queries, { name: 'r-7' }, scope),
  'node by name': ({ queries }) => findComputeNodes(queries, { hostname: 'host-77' }),
  'service of a host': ({ queries }) => findService(queries, 'host-77', 'zun-compute'),
};

const one = { containers: 1, cpu: 1, memory: 1, disk: 1 };

async function fill(database: TestDatabase): Promise<void> {
  await insertMany(database, 'container', containers, (number) =>
    fullRow(
      sampleContainer({
        uuid: numberedUuid(number),
        name: `name-${number}`,
        projectId: `project-${number % projects}`,
        host: `host-${number % hosts}`,
      }),
    ),
  );
  const node = { mem_total: 1, mem_free: 1, mem_available: 1, mem_used: 0, cpus: 1, cpu_used: 0, disk_total: 1, disk_used: 0 };
  const counts = { total_containers: 0, running_containers: 0, paused_containers: 0, stopped_containers: 0 };
  const flags = { disk_quota_supported: false, enable_cpu_pinning: false };
  await insertMany(database, 'compute_node', hosts, (number) => ({
    ...{ ...node, ...counts, ...flags, uuid: numberedUuid(number), rp_uuid: numberedUuid(number) },
    hostname: `host-${number}`,
  }));
  await insertMany(database, 'zun_service', hosts, (number) => ({ host: `host-${number}`, binary: 'zun-compute', report_count: 1 }));
  await insertMany(database, 'image', 2000, (number) => ({
    ...{ uuid: numberedUuid(number), project_id: `project-${number % projects}`, repo: `repo-${number}`, tag: 'latest' },
    host: `host-${number % hosts}`,
  }));
  await insertMany(database, 'registry', 1000, (number) => ({
    uuid: numberedUuid(number),
    project_id: `project-${number % projects}`,
    name: `r-${number}`,
    domain: 'd',
  }));
  await insertMany(database, 'container_actions', 2 * containers, (number) => ({
    container_uuid: numberedUuid(number % containers),
    action: 'start',
  }));
  await insertMany(database, 'volume', 2000, (number) => ({ uuid: numberedUuid(number), volume_provider: 'cinder' }));
  const [first] = await rowsOf<{ id: number }>(database, 'select min(id) as id from volume');
  await insertMany(database, 'volume_mapping', 2000, (number) => ({
    ...{ uuid: numberedUuid(number), container_uuid: numberedUuid(number), volume_id: Number(first?.id) + number },
  }));
  const store = new TaskStore(database, clock, randomIds);
  await database.transaction(async (transaction) => {
    for (let number = 0; number < 1000; number += 1) {
      const task = { kind: 'test', projectId: 'p', requestId: null, actionId: null, payload: {}, deadline: clock.now() + 60_000 };
      await store.enqueue(transaction, { ...task, subject: numberedUuid(number) });
    }
  });
  const analyze = {
    sqlite: 'analyze',
    postgresql: 'analyze',
    mariadb: 'analyze table container, image, registry, container_actions, volume, volume_mapping, openkeel_task',
  };
  await rowsOf(database, analyze[database.dialect.name]);
}

async function insertMany<Table extends keyof Schema>(
  database: TestDatabase,
  table: Table,
  count: number,
  row: (number: number) => Insertable<Schema[Table]>,
): Promise<void> {
  const batch = 200;
  await database.transaction(async (transaction) => {
    for (let from = 0; from < count; from += batch) {
      const rows = Array.from({ length: Math.min(batch, count - from) }, (_, index) => row(from + index));
      await transaction
        .insertInto(table)
        .values(rows as never)
        .execute();
    }
  });
}

/** Rows that the storage engine was asked for, in one session. */
async function rowsRead(database: TestDatabase, run: (queries: TestDatabase['queries']) => Promise<unknown>): Promise<number> {
  return database.transaction(async (transaction) => {
    const counted = async () => {
      const { rows } = await sql<{ Value: string }>`show session status like 'Handler_read%'`.execute(transaction);
      return rows.reduce((sum, row) => sum + Number(row.Value), 0);
    };
    const before = await counted();
    await run(transaction);
    return (await counted()) - before;
  });
}
