import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ManualClock, memoryDatabase } from '../../../test/bench/task-bench.ts';
import { defaultPolicy } from '../../../test/contract/default-policy.ts';
import { countedIds } from '../../../test/contract/fixed-time.ts';
import { operationCaller } from '../../../test/contract/operation-caller.ts';
import { Fernet } from '../../crypto/fernet.ts';
import type { Database } from '../../db/database.ts';
import { registriesOperations } from './registries-operations.ts';
import { registryCredentials } from './registry-credentials.ts';

describe('registries', () => {
  const fernet = new Fernet('0123456789abcdef0123456789abcdef');
  let database: Database;
  let call: ReturnType<typeof operationCaller>;

  before(async () => {
    database = await memoryDatabase();
    const services = { database, policy: defaultPolicy(), clock: new ManualClock(), ids: countedIds(), fernet, maxLimit: 1000 };
    call = operationCaller(registriesOperations(services));
  });
  after(() => database.close());

  const first = 'f0000000-0000-4000-8000-000000000001';

  test('a created registry is answered with links and location, its password stored as a token and never shown', async () => {
    const registry = { name: 'hub', domain: 'd.example', username: 'bob', password: 'geheim' };
    const reply = await call('demo', 'POST /v1/registries', { registry });
    assert.equal(reply.status, 201);
    assert.equal(reply.headers?.location, `http://h:1/v1/registries/${first}`);
    assert.deepEqual(reply.body, {
      registry: {
        uuid: first,
        links: [
          { href: `http://h:1/v1/registries/${first}`, rel: 'self' },
          { href: `http://h:1/registries/${first}`, rel: 'bookmark' },
        ],
        name: 'hub',
        project_id: 'demo-project',
        user_id: 'demo-user',
        domain: 'd.example',
        username: 'bob',
        password: '***',
      },
    });
    const row = await database.queries.selectFrom('registry').selectAll().executeTakeFirstOrThrow();
    assert.equal(fernet.decrypt(row.password ?? ''), 'geheim');
    assert.deepEqual(await registryCredentials(database, fernet)(row.id), {
      domain: 'd.example',
      credentials: { username: 'bob', password: 'geheim' },
    });
  });

  test('a registry without a user has no login, and one that is gone is null', async () => {
    await call('other', 'POST /v1/registries', { registry: { domain: 'open.example' } });
    const { id } = await database.queries
      .selectFrom('registry')
      .select('id')
      .where('domain', '=', 'open.example')
      .executeTakeFirstOrThrow();
    assert.deepEqual(await registryCredentials(database, fernet)(id), { domain: 'open.example', credentials: null });
    assert.equal(await registryCredentials(database, fernet)(999), null);
  });

  test('another project does not see it, an admin does', async () => {
    const missing = await call('other', 'GET /v1/registries/hub');
    assert.deepEqual(
      [missing.status, missing.body],
      [404, { code: 'container.registry-not-found', message: 'Registry hub could not be found.' }],
    );
    assert.equal((await call('admin', 'GET /v1/registries/hub')).status, 200);
    assert.equal((await call('demo', `GET /v1/registries/${first}`)).status, 200);
  });

  test('lists are by project, paged, filtered, without links; unknown parameters and bad pages are refused', async () => {
    const list = async (caller: 'admin' | 'demo' | 'other', query: string) => {
      const reply = await call(caller, `GET /v1/registries${query}`);
      return reply.status === 200
        ? (reply.body as { registries: Record<string, unknown>[]; next: string | null })
        : (reply.body as { message: string }).message;
    };
    const own = await list('demo', '');
    assert.ok(typeof own !== 'string' && own.next === null && own.registries.length === 1);
    assert.deepEqual(Object.keys(own.registries[0] ?? {}).sort(), [
      'domain',
      'name',
      'password',
      'project_id',
      'user_id',
      'username',
      'uuid',
    ]);
    const page = await list('admin', '?all_projects=true&limit=1&sort_key=domain&sort_dir=desc');
    assert.ok(typeof page !== 'string');
    assert.equal(page.registries[0]?.domain, 'open.example');
    assert.match(page.next ?? '', /^http:\/\/h:1\/v1\/registries\?sort_key=domain&sort_dir=desc&limit=1&marker=f0000000/);
    const rest = await list('admin', `?all_projects=true&sort_key=domain&sort_dir=desc&marker=${page.registries[0]?.uuid}`);
    assert.ok(typeof rest !== 'string' && rest.registries.length === 1 && rest.registries[0]?.domain === 'd.example');
    const filtered = await list('admin', '?all_projects=1&username=bob');
    assert.ok(typeof filtered !== 'string' && filtered.registries.length === 1);
    assert.equal(await list('demo', '?foo=1&bar=2'), 'Unknown parameters: foo, bar');
    assert.equal(await list('demo', '?limit=0'), 'Limit must be positive integer');
    assert.equal(await list('demo', '?sort_dir=up'), "Invalid sort direction: up. Acceptable values are 'asc' or 'desc'");
    assert.equal(await list('demo', '?sort_key=bogus'), 'The sort_key value "bogus" is an invalid field for sorting');
    assert.equal(await list('demo', '?marker=nope'), 'Registry nope could not be found.');
    assert.equal(await list('demo', '?all_projects=true'), "Policy doesn't allow registry:get_all_all_projects to be performed.");
  });

  test('an update changes what it names, and stores a new password as a token', async () => {
    const reply = await call('demo', 'PATCH /v1/registries/hub', { registry: { name: 'hub2', password: 'neu' } });
    assert.equal(reply.status, 200);
    const row = await database.queries.selectFrom('registry').selectAll().where('uuid', '=', first).executeTakeFirstOrThrow();
    assert.deepEqual([row.name, row.domain, fernet.decrypt(row.password ?? '')], ['hub2', 'd.example', 'neu']);
    assert.equal((await call('other', 'PATCH /v1/registries/hub2', { registry: {} })).status, 404);
  });

  test('two registries may share a name; using it then is a conflict', async () => {
    assert.equal((await call('demo', 'POST /v1/registries', { registry: { name: 'hub2', domain: 'd2.example' } })).status, 201);
    const reply = await call('demo', 'GET /v1/registries/hub2');
    assert.deepEqual(reply.body, {
      code: 'container.conflict',
      message: 'Multiple registries exist with same name. Please use the registry uuid instead.',
    });
  });

  test('a registry that a container names is not deleted', async () => {
    const { id } = await database.queries.selectFrom('registry').select('id').where('uuid', '=', first).executeTakeFirstOrThrow();
    await database.queries.insertInto('container').values({ uuid: 'c1', registry_id: id }).execute();
    const refused = await call('demo', `DELETE /v1/registries/${first}`);
    assert.deepEqual(
      [refused.status, refused.body],
      [409, { code: 'container.conflict', message: `Failed to delete registry ${first} since it is in use.` }],
    );
    await database.queries.deleteFrom('container').execute();
    assert.deepEqual(await call('demo', `DELETE /v1/registries/${first}`), { status: 204 });
    assert.equal((await call('demo', `GET /v1/registries/${first}`)).status, 404);
  });
});
