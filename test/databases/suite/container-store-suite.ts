import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '../../../src/db/page.ts';
import type { Container } from '../../../src/features/containers/container.ts';
import {
  type ContainerFilters,
  containerByUuid,
  containersOfHost,
  deleteContainer,
  findContainers,
  insertContainer,
  listContainers,
  markerOf,
  sortableColumns,
  updateContainer,
} from '../../../src/features/containers/container-store.ts';
import { insertContainerVolume, volumesOfContainer } from '../../../src/features/containers/container-volumes.ts';
import type { DatabaseSource, TestDatabase } from '../test-database.ts';
import { numberedUuid, sampleContainer } from './sample-container.ts';

/** What the containers' store promises, on any database. */
export function containerStoreSuite(source: DatabaseSource): void {
  let database: TestDatabase;
  before(async () => {
    database = await source.open();
    await fill(database);
  });
  after(() => database.close());

  test('every field comes back as it was written, also null', async () => {
    const full = sampleContainer({ uuid: numberedUuid(1001), projectId: 'other' });
    const id = await insertContainer(database.queries, full);
    assert.deepEqual(await containerByUuid(database.queries, full.uuid), { ...full, id, updatedAt: null });
    const bare = bareContainer(numberedUuid(1002));
    await insertContainer(database.queries, bare);
    const read = await containerByUuid(database.queries, bare.uuid);
    const json = { command: [], entrypoint: [], environment: {}, labels: {}, ports: [], addresses: {}, securityGroups: [] };
    const objects = { exposedPorts: {}, restartPolicy: {}, healthcheck: {} };
    assert.deepEqual(read && { ...read, id: 0 }, { ...bare, ...json, ...objects, id: 0, updatedAt: null });
  });

  test('a change writes its fields and the time, and tells when the row is gone', async () => {
    const now = Date.UTC(2026, 5, 1, 10);
    const changes = { status: 'Stopped' as const, taskState: null, cpu: 2.5, addresses: null, tty: true, startedAt: null };
    assert.equal(await updateContainer(database.queries, numberedUuid(1001), changes, now), true);
    const read = await containerByUuid(database.queries, numberedUuid(1001));
    assert.deepEqual(read && [read.status, read.taskState, read.cpu, read.addresses, read.tty, read.startedAt, read.updatedAt], [
      ...['Stopped', null, 2.5, {}, true, null],
      now,
    ]);
    // The same values again are a match too: a row that is there but does not change is not gone.
    assert.equal(await updateContainer(database.queries, numberedUuid(1001), changes, now), true);
    assert.equal(await updateContainer(database.queries, numberedUuid(9999), changes, now), false);
  });

  for (const sortKey of sortableColumns) {
    test(`pages by ${sortKey} follow each other without a gap or a double, in both directions`, async () => {
      for (const sortDirection of ['asc', 'desc'] as const) {
        const whole = await list(database, { limit: 1000, sortKey, sortDirection });
        assert.equal(whole.length, rows);
        const paged: string[] = [];
        for (let marker: string | undefined; ; marker = paged.at(-1)) {
          const page = await list(database, { limit: 7, sortKey, sortDirection }, {}, marker);
          paged.push(...page.map(({ uuid }) => uuid));
          if (page.length < 7) break;
        }
        assert.deepEqual(
          paged,
          whole.map(({ uuid }) => uuid),
        );
      }
    });
  }

  test('NULL sorts lowest', async () => {
    const ascending = await list(database, { limit: 1000, sortKey: 'host', sortDirection: 'asc' });
    const nulls = ascending.filter(({ host }) => host === null).length;
    assert.ok(nulls > 0 && ascending.slice(0, nulls).every(({ host }) => host === null));
    const descending = await list(database, { limit: 1000, sortKey: 'host', sortDirection: 'desc' });
    assert.ok(descending.slice(-nulls).every(({ host }) => host === null));
  });

  test('filters match exactly, one of several values, flags', async () => {
    const page: Page = { limit: 1000, sortKey: 'id', sortDirection: 'asc' };
    const count = async (filters: ContainerFilters) => (await list(database, page, filters)).length;
    assert.equal(await count({ status: 'Stopped' }), rows / 2);
    assert.equal(await count({ status: ['Stopped', 'Running'] }), rows);
    assert.equal(await count({ name: 'name-1', status: 'Running' }), 1);
    assert.equal(await count({ name: 'name-1', status: 'Creating' }), 0);
    assert.equal(await count({ auto_remove: true }), rows / 2);
    assert.equal(await count({ auto_remove: false }), rows / 2);
    assert.equal(await count({ name: "' or 1=1 -- " }), 0);
    assert.equal(await count({ name: 'name-_' }), 0);
  });

  test('a name is found in its project; upper and lower case are one on SQLite and MariaDB, two on PostgreSQL', async () => {
    const found = (name: string, projectId = 'project') => findContainers(database.queries, { name }, { projectId });
    assert.equal((await found('name-3')).length, 2);
    assert.equal((await found('name-3', 'other')).length, 0);
    assert.equal((await found('NAME-3')).length, source.kind === 'postgresql' ? 0 : 2);
  });

  test('the containers of a host are found, and by state', async () => {
    const count = async (filter?: { status: string }) => (await containersOfHost(database.queries, 'host-2', filter)).length;
    assert.deepEqual([await count(), await count({ status: 'Running' }), await count({ status: 'Stopped' })], [6, 3, 3]);
  });

  test('volumes come back in order, and a delete takes the mappings and the actions along', async () => {
    const uuid = numberedUuid(1003);
    await insertContainer(database.queries, sampleContainer({ uuid, projectId: 'other' }));
    const owner = { containerUuid: uuid, projectId: 'other', userId: 'u', host: 'host-1' };
    const volume = (number: number, contents: string | null) => ({
      volumeUuid: numberedUuid(2000 + number),
      mappingUuid: numberedUuid(3000 + number),
      cinderVolumeId: null,
      provider: 'local' as const,
      autoRemove: number === 1,
      contents,
      destination: `/data${number}`,
    });
    await insertContainerVolume(database.queries, owner, volume(1, 'x'.repeat(1_000_000)));
    await insertContainerVolume(database.queries, owner, volume(2, null));
    const found = await volumesOfContainer(database.queries, uuid);
    assert.deepEqual(
      found.map(({ destination, autoRemove, contents }) => [destination, autoRemove, contents?.length ?? null]),
      [
        ['/data1', true, 1_000_000],
        ['/data2', false, null],
      ],
    );
    await database.queries
      .insertInto('container_actions')
      .values({ container_uuid: uuid, action: 'create', request_id: 'req-1' })
      .execute();
    await database.transaction((queries) => deleteContainer(queries, uuid));
    assert.deepEqual(await volumesOfContainer(database.queries, uuid), []);
    assert.equal(await containerByUuid(database.queries, uuid), null);
    assert.deepEqual(await database.queries.selectFrom('container_actions').selectAll().execute(), []);
  });
}

const rows = 40;

/** Rows with NULLs, ties and distinct values in every column that can be sorted by. */
async function fill(database: TestDatabase): Promise<void> {
  for (let number = 0; number < rows; number += 1) {
    const full = sampleContainer({
      uuid: numberedUuid(number),
      name: `name-${number >> 1}`,
      host: number % 3 === 0 ? null : `host-${number % 5}`,
      status: number % 2 === 0 ? 'Running' : 'Stopped',
      autoRemove: number % 2 === 0,
      cpu: number % 4 === 0 ? null : number / 10,
      disk: number % 7,
      startedAt: number % 5 === 0 ? null : Date.UTC(2026, 0, 1 + (number % 9)),
      createdAt: Date.UTC(2026, 0, 1, 0, 0, number >> 2),
      ...(number % 3 === 0 ? { runtime: null, workdir: null, taskState: null, statusReason: null, tty: null, hostname: null } : {}),
    });
    const stored =
      number % 2 === 0 && number % 5 === 0 ? { ...bareContainer(full.uuid), status: full.status, autoRemove: full.autoRemove } : full;
    await insertContainer(database.queries, { ...stored, projectId: 'project' });
    if (number % 3 === 1) await updateContainer(database.queries, full.uuid, {}, Date.UTC(2026, 2, 1 + (number % 4)));
  }
}

function bareContainer(uuid: string): Omit<Container, 'id' | 'updatedAt'> {
  const full = sampleContainer({ uuid });
  const kept = { uuid, containerType: 0, name: 'bare', projectId: 'other', userId: 'user', image: 'busybox', status: 'Created' as const };
  const nothing = Object.fromEntries(Object.keys(full).map((field) => [field, null]));
  return { ...(nothing as unknown as typeof full), ...kept, createdAt: full.createdAt };
}

async function list(database: TestDatabase, page: Page, filters: ContainerFilters = {}, after?: string): Promise<Container[]> {
  const scope = { projectId: 'project' };
  const marker = after === undefined ? null : await markerOf(database.queries, after, scope, page.sortKey);
  return (await listContainers(database.queries, scope, filters, page, marker)).map(({ container }) => container);
}
