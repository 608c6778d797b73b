import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startAgent } from '../../src/agent/agent.ts';
import { Fernet } from '../../src/crypto/fernet.ts';
import { contractTables } from '../../src/db/contract-tables.ts';
import type { Database } from '../../src/db/database.ts';
import { migrate, UnusableSchema } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { ownIndexes } from '../../src/db/own-indexes.ts';
import { LocalInventory } from '../../src/local/inventory/local-inventory.ts';
import type { ZunCore } from '../../src/programs/zun-core.ts';
import { MemoryImageStore } from '../../src/runtime/memory/memory-image-store.ts';
import { MemoryRuntime } from '../../src/runtime/memory/memory-runtime.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { silentLogger } from '../../src/telemetry/logger.ts';
import { adoptedApi, rolesOf } from './adopted-api.ts';
import { type OriginalAnswer, type OriginalZun, originalZun } from './original/original-zun.ts';
import { type DatabaseServer, dialectOf } from './servers/database-server.ts';
import { testServer } from './servers/test-server.ts';
import { numberedUuid as uuid } from './suite/sample-container.ts';
import { createDatabase, dropDatabase, rowsOf } from './test-database.ts';

describe('a database that the original has filled', () => {
  let server: DatabaseServer;
  let release: () => Promise<void>;
  let name: string;
  let original: OriginalZun;
  let database: Database;
  let core: ZunCore;
  let untouched: Record<string, unknown>;

  before(async () => {
    ({ server, release } = await testServer('mariadb'));
    name = await createDatabase(server);
    original = await originalZun(server, name);
    await original.upgrade();
    await original.fill();
    const dialect = dialectOf(server, name);
    database = openDatabase(dialect);
    untouched = await contents(database);
    await migrate(database, dialect);
    core = await adoptedApi(database);
  });
  after(async () => {
    await core?.server.close();
    await database?.close();
    await dropDatabase(server, name);
    await release();
  });

  const ask = async ({ path, token, version }: Question): Promise<OriginalAnswer> => {
    const headers = {
      host: 'api.example',
      accept: 'application/json',
      'x-auth-token': token,
      'openstack-api-version': `container ${version}`,
    };
    const answer = await core.server.inject({ method: 'GET', url: path, headers });
    return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) };
  };
  const askOriginal = (questions: Question[]) =>
    original.answers(
      questions.map(({ path, token, version }) => ({
        path,
        headers: {
          Accept: 'application/json',
          'X-User-Id': `user-${token}`,
          'X-Project-Id': token,
          'X-Roles': rolesOf(token).join(','),
          'OpenStack-API-Version': `container ${version}`,
        },
      })),
    );

  test('is adopted: every row and column stays as it was, own tables and indexes are added', async () => {
    assert.deepEqual(await contents(database), untouched);
    const tables = new Set((await database.queries.introspection.getTables()).map((table) => table.name));
    assert.ok(tables.has('openkeel_task') && tables.has('openkeel_project_lock'));
    const indexes = await rowsOf<{ name: string }>(
      database,
      "select distinct index_name as name from information_schema.statistics where table_schema = database() and index_name like 'openkeel%idx'",
    );
    for (const index of ownIndexes)
      assert.ok(
        indexes.some((found) => found.name === index.name),
        index.name,
      );
  });

  test('gives every answer that the original gives', async (context) => {
    const questions = allQuestions();
    const theirs = await askOriginal(questions);
    const differing: unknown[] = [];
    for (const [index, question] of questions.entries()) {
      const ours = await ask(question);
      const expected = theirs[index];
      if (JSON.stringify(comparable(ours)) !== JSON.stringify(comparable(expected))) differing.push({ question, ours, expected });
    }
    context.diagnostic(`${questions.length} answers compared`);
    assert.deepEqual(differing, []);
  });

  test('counts the capsule as well, which the original leaves out of quotas', async () => {
    const question = { path: '/v1/quotas/demo?usages=true', token: 'demo', version: '1.40' };
    const [theirs] = await askOriginal([question]);
    const inUse = ({ body }: OriginalAnswer) => (body as { containers: { in_use: number } }).containers.in_use;
    assert.equal(theirs && inUse(await ask(question)) - inUse(theirs), 1);
  });

  test('the registry password is read with the original’s key', async () => {
    const row = await database.queries.selectFrom('registry').select('password').where('uuid', '=', uuid(50)).executeTakeFirst();
    assert.equal(new Fernet('thirty-two-letters-of-key-------').decrypt(row?.password ?? ''), 's3cret');
  });

  test('what this service writes, the original reads and answers', async () => {
    const created = await core.server.inject({
      method: 'POST',
      url: '/v1/containers?run=false',
      headers: { 'x-auth-token': 'demo', 'openstack-api-version': 'container 1.40', 'content-type': 'application/json' },
      payload: JSON.stringify({ name: 'made-here', image: 'busybox', environment: { A: 'ü' }, command: ['true'], cpu: 0.3, memory: '64' }),
    });
    assert.equal(created.statusCode, 202, created.body);
    const registry = await core.server.inject({
      method: 'POST',
      url: '/v1/registries',
      headers: { 'x-auth-token': 'demo', 'openstack-api-version': 'container 1.40', 'content-type': 'application/json' },
      payload: JSON.stringify({ registry: { name: 'ours', domain: 'd.example', username: 'u', password: 'geheim' } }),
    });
    assert.equal(registry.statusCode, 201, registry.body);
    const questions = ['/v1/containers/made-here', '/v1/containers', '/v1/registries/ours', '/v1/registries'].map((path) => ({
      ...{ path, token: 'demo', version: '1.40' },
    }));
    const theirs = await askOriginal(questions);
    for (const [index, question] of questions.entries()) {
      assert.deepEqual(comparable(await ask(question)), comparable(theirs[index]), question.path);
    }
    const objects = await original.read();
    const container = objects.Container?.find((row) => row.name === 'made-here');
    assert.deepEqual([container?.environment, container?.cpu, container?.command], [{ A: 'ü' }, 0.3, ['true']]);
    assert.equal(objects.Registry?.find((row) => row.name === 'ours')?.password, 'geheim');
  });

  test('a node that the agent reports, the original reads whole and shows the same', async () => {
    const runtime = new MemoryRuntime({ clock: systemClock, ids: randomIds, images: new MemoryImageStore() });
    const agent = startAgent({
      database,
      runtime,
      inventory: new LocalInventory(database),
      clock: systemClock,
      ids: randomIds,
      logger: silentLogger,
      hostname: 'node-9',
      availabilityZone: 'nova',
      allocationRatios: { cpu: 16, memory: 1.5, disk: 1 },
      cpuPinning: false,
      imageDiskShare: 0.2,
      machine: async () => ({ kernelVersion: '0', memoryAvailableMiB: 4000, numaNodes: [{ id: 0, cpus: [0, 1, 2, 3], memoryMiB: 8192 }] }),
      intervalSeconds: 60,
    });
    await agent.started;
    // A row that was written once has no time of an update.
    await agent.report();
    await agent.stop();
    const node = (await original.read()).ComputeNode?.find((row) => row.hostname === 'node-9');
    const missing = Object.entries(node ?? {}).filter(([, value]) => value === null);
    assert.deepEqual(missing, []);
    assert.deepEqual(node?.numa_topology, {
      nodes: [{ id: 0, cpuset: [0, 1, 2, 3], pinned_cpus: [], mem_total: 8192, mem_available: 8192 }],
    });
    assert.deepEqual(node?.pci_device_pools, { objects: [] });
    assert.deepEqual([node?.disk_total, node?.mem_available], [80, 4000]);
    const questions = ['/v1/hosts', '/v1/hosts/node-9'].map((path) => ({ path, token: 'admin', version: '1.40' }));
    const theirs = await askOriginal(questions);
    for (const [index, question] of questions.entries()) assert.deepEqual(comparable(await ask(question)), comparable(theirs[index]));
  });

  test('the original upgrades it again without a change', async () => {
    await original.upgrade();
    assert.deepEqual(await rowsOf(database, 'select * from alembic_version'), [{ version_num: '3f2b36231bee' }]);
  });

  test('one at an older revision is refused with the command to run first, and not touched', async () => {
    const older = await createDatabase(server);
    const dialect = dialectOf(server, older);
    const opened = openDatabase(dialect);
    try {
      await (await originalZun(server, older)).upgrade('a019998b09b5');
      await assert.rejects(migrate(opened, dialect), (error) => {
        assert.ok(error instanceof UnusableSchema);
        assert.match(
          error.message,
          /at alembic revision a019998b09b5, older than 3f2b36231bee.*Run 'zun-db-manage upgrade' of zun 18\.0\.0/,
        );
        return true;
      });
      const tables = (await opened.queries.introspection.getTables()).map((table) => table.name);
      assert.ok(!tables.some((table) => table.startsWith('openkeel')));
    } finally {
      await opened.close();
      await dropDatabase(server, older);
    }
  });
});

interface Question {
  path: string;
  token: string;
  version: string;
}

function allQuestions(): Question[] {
  const numbers = [1, 2, 3, 4, 5, 10, 11, 13, 99];
  const paths = [
    ...numbers.flatMap((number) => [`/v1/containers/${uuid(number)}`, `/v1/capsules/${uuid(number)}`]),
    ...['container-1', 'container-2', 'CONTAINER-1', 'nothing'].map((container) => `/v1/containers/${container}`),
    ...['', '?all_projects=true', '?limit=2', '?sort_key=cpu&sort_dir=desc', '?sort_key=host', '?status=Running', '?name=CONTAINER-2'].map(
      (query) => `/v1/containers${query}`,
    ),
    `/v1/containers?limit=2&marker=${uuid(2)}`,
    `/v1/containers?sort_key=started_at&limit=1&marker=${uuid(1)}`,
    ...['/v1/capsules', '/v1/capsules?all_projects=true', '/v1/capsules/capsule'],
    ...['/v1/registries', '/v1/registries?all_projects=true', '/v1/registries/private', `/v1/registries/${uuid(51)}`],
    ...['/v1/images', '/v1/services', '/v1/hosts', `/v1/hosts/${uuid(101)}`, '/v1/hosts/node-2', '/v1/availability_zones'],
    ...['/v1/quotas/demo', '/v1/quotas/demo/defaults', '/v1/quota_classes/default'],
    `/v1/containers/${uuid(1)}/container_actions`,
    `/v1/containers/${uuid(2)}/container_actions`,
    ...[1, 2, 3].map((number) => `/v1/containers/${uuid(1)}/container_actions/req-${uuid(800 + number)}`),
  ];
  const everyone = ['demo', 'other', 'admin'].flatMap((token) => paths.map((path) => ({ path, token, version: '1.40' })));
  const versions = ['1.1', '1.12', '1.25', '1.36'].flatMap((version) =>
    ['/v1/containers', `/v1/containers/${uuid(1)}`, '/v1/capsules', `/v1/capsules/${uuid(10)}`].map((path) => ({
      path,
      token: 'demo',
      version,
    })),
  );
  return [...everyone, ...versions];
}

/** Request ids differ, and members have no order. */
function comparable(answer: OriginalAnswer | undefined): unknown {
  return ordered({ ...answer }, '');
}

function ordered(value: unknown, key: string): unknown {
  if (key === 'request_id' && typeof value === 'string' && value.length === 0) return '';
  if (Array.isArray(value)) return value.map((item) => ordered(item, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, item]) => [name, ordered(item, name)]),
  );
}

/** Every row of the original's tables. */
async function contents(database: Database): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [table] of contractTables()) found[table] = await rowsOf(database, `select * from ${table}`);
  return found;
}
