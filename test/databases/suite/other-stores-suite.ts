import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page, PageMarker } from '../../../src/db/page.ts';
import { isUniqueViolation } from '../../../src/db/unique-violation.ts';
import { actionOfRequest, actionsOfContainer, eventsOfAction } from '../../../src/features/actions/action-store.ts';
import { insertContainer } from '../../../src/features/containers/container-store.ts';
import { computeNodeColumns, listComputeNodes, nodeUsage, saveComputeNode } from '../../../src/features/hosts/compute-node-store.ts';
import { failedPullReason, recordFailedPull } from '../../../src/features/images/failed-pull-store.ts';
import { deleteImage, findImage, imageExists, insertImage, listImages, setPulled } from '../../../src/features/images/image-store.ts';
import { findNetworks, insertNetwork, networkOfHost } from '../../../src/features/networks/network-store.ts';
import {
  deleteUnusedRegistry,
  findRegistries,
  insertRegistry,
  listRegistries,
  registryColumns,
} from '../../../src/features/registries/registry-store.ts';
import { deleteService, findService, listServices, reportService, updateService } from '../../../src/features/services/service-store.ts';
import { numaTopology } from '../../../src/rules/numa-topology.ts';
import { ActionLog } from '../../../src/tasks/action-log.ts';
import { databaseTime } from '../../../src/telemetry/database-time.ts';
import { ManualClock } from '../../bench/task-bench.ts';
import type { DatabaseSource, TestDatabase } from '../test-database.ts';
import { numberedUuid, sampleContainer } from './sample-container.ts';

const now = Date.UTC(2026, 3, 1, 2, 3, 4);
const scope = { projectId: 'p' };

/** What the other stores promise, on any database. */
export function otherStoresSuite(source: DatabaseSource): void {
  let database: TestDatabase;
  before(async () => {
    database = await source.open();
  });
  after(() => database.close());

  test('services: the first sign of life makes the row, later ones count, what the operator set stays', async () => {
    const service = { host: 'host-1', binary: 'zun-compute', availabilityZone: 'nova' };
    const report = (at: number) => database.transaction((queries) => reportService(queries, service, at));
    const first = await report(now);
    assert.deepEqual([first.report_count, Boolean(first.disabled), Boolean(first.forced_down)], [1, false, false]);
    assert.equal(await updateService(database.queries, 'host-1', 'zun-compute', { disabled: true, disabled_reason: 'broken' }, now), true);
    const second = await report(now + 60_000);
    assert.deepEqual([second.report_count, Boolean(second.disabled), second.disabled_reason], [2, true, 'broken']);
    assert.equal(second.last_seen_up?.slice(0, 19), '2026-04-01 02:04:04');
    assert.equal((await listServices(database.queries, 'disabled_reason', 'desc')).length, 1);
    assert.equal(await deleteService(database.queries, 'host-1', 'zun-compute'), true);
    assert.equal(await deleteService(database.queries, 'host-1', 'zun-compute'), false);
    assert.equal(await findService(database.queries, 'host-1', 'zun-compute'), undefined);
  });

  test('compute nodes: pages by every column, figures as numbers, flags as flags', async () => {
    for (let number = 0; number < 9; number += 1) await save(database, number);
    await save(database, 3);
    const [node] = await listComputeNodes(database.queries, { limit: 1, sortKey: 'uuid', sortDirection: 'asc' }, null);
    assert.deepEqual([node?.cpu_used, node?.mem_total, Boolean(node?.disk_quota_supported), node?.updated_at], [0, 1000, true, null]);
    for (const sortKey of computeNodeColumns) {
      await pagesMeet(sortKey, 9, 'uuid', (page, marker) => listComputeNodes(database.queries, page, marker));
    }
    await insertContainer(database.queries, sampleContainer({ uuid: numberedUuid(1), host: 'node-1', cpu: 0.5, memory: '100' }));
    assert.deepEqual(await nodeUsage(database.queries, 'node-1'), { cpu: 0.5, memoryMiB: 100, diskGiB: 20 });
  });

  test('registries: found by name and uuid, narrowed, paged; one that a container names is not deleted', async () => {
    for (let number = 0; number < 6; number += 1) {
      await insertRegistry(database.queries, {
        uuid: numberedUuid(number),
        project_id: 'p',
        user_id: 'u',
        name: number % 2 ? `r${number}` : null,
        domain: `d${number % 3}.example`,
        username: null,
        password: 'x'.repeat(200),
        created_at: databaseTime(now),
      });
    }
    const [found] = await findRegistries(database.queries, { name: 'r1' }, scope);
    assert.equal(found?.uuid, numberedUuid(1));
    assert.equal((await findRegistries(database.queries, { uuid: numberedUuid(1) }, { projectId: 'q' })).length, 0);
    const page: Page = { limit: 10, sortKey: 'id', sortDirection: 'asc' };
    assert.equal((await listRegistries(database.queries, scope, { domain: ['d0.example', 'd1.example'] }, page, null)).length, 4);
    for (const sortKey of registryColumns) {
      await pagesMeet(sortKey, 6, 'id', (each, marker) => listRegistries(database.queries, scope, {}, each, marker));
    }
    await insertContainer(database.queries, sampleContainer({ uuid: numberedUuid(2), registryId: found?.id ?? null }));
    const remove = () => database.transaction((queries) => deleteUnusedRegistry(queries, found?.id ?? 0));
    assert.equal(await remove(), false);
    await database.queries.deleteFrom('container').execute();
    assert.equal(await remove(), true);
  });

  test('images: one a host, found by uuid, listed by project; the reason of a failed pull stays a day', async () => {
    const image = { uuid: numberedUuid(7), project_id: 'p', repo: 'busybox', tag: 'latest', host: 'host-1', created_at: databaseTime(now) };
    await insertImage(database.queries, image);
    await assert.rejects(insertImage(database.queries, { ...image, uuid: numberedUuid(8) }), isUniqueViolation);
    await setPulled(database.queries, image.uuid, { imageId: 'sha256:1', size: '4294967296' }, now);
    const read = await findImage(database.queries, image.uuid, scope);
    assert.deepEqual([read?.image_id, read?.size], ['sha256:1', '4294967296']);
    assert.equal(await imageExists(database.queries, 'busybox', 'latest', 'host-1'), true);
    assert.equal((await listImages(database.queries, 'p', { limit: 5, sortKey: 'size', sortDirection: 'desc' }, null)).length, 1);
    await deleteImage(database.queries, image.uuid);
    await recordFailedPull(database.queries, image.uuid, 'no such image', now);
    await recordFailedPull(database.queries, numberedUuid(9), 'another', now + 25 * 3_600_000);
    assert.equal(await failedPullReason(database.queries, image.uuid), null);
    assert.equal(await failedPullReason(database.queries, numberedUuid(9)), 'another');
  });

  test('networks: one a host for each id, found by id and name', async () => {
    const network = { uuid: numberedUuid(1), name: 'net', network_id: 'net', neutron_net_id: numberedUuid(2), host: 'host-1' };
    await insertNetwork(database.queries, network);
    await assert.rejects(insertNetwork(database.queries, { ...network, uuid: numberedUuid(3) }), isUniqueViolation);
    assert.equal((await networkOfHost(database.queries, numberedUuid(2), 'host-1'))?.name, 'net');
    assert.equal((await findNetworks(database.queries, 'net')).length, 1);
    assert.equal((await findNetworks(database.queries, numberedUuid(2))).length, 1);
  });

  test('actions: opened with their event, closed with a result, the newest first', async () => {
    const uuid = numberedUuid(5);
    await insertContainer(database.queries, sampleContainer({ uuid }));
    const clock = new ManualClock(now);
    const log = new ActionLog(clock);
    const begin = (requestId: string) =>
      database.transaction((queries) =>
        log.start(queries, {
          action: 'start',
          event: 'compute__do_container_start',
          containerUuid: uuid,
          requestId,
          userId: 'u',
          projectId: 'p',
        }),
      );
    const first = await begin('req-1');
    clock.advance(5000);
    const second = await begin('req-2');
    await log.finish(database.queries, first, null);
    await log.finish(database.queries, second, 'the reason');
    const actions = await actionsOfContainer(database.queries, uuid);
    assert.deepEqual(
      actions.map(({ id, message, start_time: started }) => [id, message, started?.slice(0, 19)]),
      [
        [second, 'Error', '2026-04-01 02:03:09'],
        [first, null, '2026-04-01 02:03:04'],
      ],
    );
    assert.equal((await actionOfRequest(database.queries, uuid, 'req-1'))?.id, first);
    const [event] = await eventsOfAction(database.queries, second);
    assert.deepEqual([event?.event, event?.result, event?.traceback], ['compute__do_container_start', 'Error', 'the reason']);
  });
}

async function save(database: TestDatabase, number: number): Promise<void> {
  const facts = {
    hostname: `node-${number}`,
    diskUsedGiB: 0,
    cpus: 4 + (number % 3),
    memoryTotalMiB: 1000 + number,
    diskTotalGiB: 100,
    diskQuotaSupported: number % 2 === 0,
    containers: { total: number, running: 0, paused: 0, stopped: 0 },
    architecture: 'x86_64',
    osType: 'linux',
    os: `os ${number % 4}`,
    kernelVersion: '6.1',
    labels: {},
    runtimes: ['runc'],
  };
  const node = { hostname: `node-${number}`, newUuid: numberedUuid(number), usage: { cpu: number / 10, memoryMiB: 0, diskGiB: 0 } };
  const more = { diskGiB: 100, cpuPinning: false, memoryAvailableMiB: null, numaTopology: numaTopology([]) };
  await saveComputeNode(database.queries, { ...node, facts, ...more }, now);
}

/** Pages of two rows are the whole list, cut. */
async function pagesMeet<Row>(
  sortKey: string,
  count: number,
  tie: string,
  read: (page: Page, marker: PageMarker | null) => Promise<Row[]>,
): Promise<void> {
  for (const sortDirection of ['asc', 'desc'] as const) {
    const whole = await read({ limit: 100, sortKey, sortDirection }, null);
    assert.equal(whole.length, count);
    const paged: Row[] = [];
    for (;;) {
      const last = paged.at(-1) as Record<string, unknown> | undefined;
      const page = await read({ limit: 2, sortKey, sortDirection }, last ? { key: last[sortKey], tie: last[tie] } : null);
      paged.push(...page);
      if (page.length < 2) break;
    }
    assert.deepEqual(paged, whole, `${sortKey} ${sortDirection}`);
  }
}
