import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../telemetry/clock.ts';
import type { Ids } from '../../telemetry/ids.ts';
import { identityServer } from './identity-server.ts';
import { LocalIdentity } from './local-identity.ts';
import type { LocalSecrets } from './local-secrets.ts';

const urls = { identity: 'http://127.0.0.1:9518/v3', container: 'http://127.0.0.1:9517/v1' };
const digits = (digit: string) => digit.repeat(32);
const secrets: LocalSecrets = {
  signingKey: digits('ab'),
  users: { admin: { id: digits('1'), password: digits('2') }, demo: { id: digits('3'), password: digits('4') } },
  projects: { admin: { id: digits('5') }, demo: { id: digits('6') } },
};
const domain = { id: 'default', name: 'Default' };

function setUp(key = secrets.signingKey) {
  let now = Date.UTC(2026, 0, 1);
  let count = 0;
  const clock: Clock = { now: () => now, monotonic: () => now, sleep: () => Promise.reject(new Error('nothing sleeps here')) };
  const ids: Ids = { uuid: () => `id-${++count}`, requestId: () => 'req', below: () => 0 };
  const identity = new LocalIdentity({ ...secrets, signingKey: key }, clock, ids);
  const app = identityServer(identity, urls);
  const passTime = (milliseconds: number) => {
    now += milliseconds;
  };
  const login = (body: unknown) => app.inject({ method: 'POST', url: '/v3/auth/tokens', payload: body as object });
  const get = (url: string, token = '', subject = '') =>
    app.inject({ url, headers: { ...(token && { 'x-auth-token': token }), ...(subject && { 'x-subject-token': subject }) } });
  const tokenOf = async (user: 'admin' | 'demo', scope?: unknown) =>
    String((await login(password(user, scope))).headers['x-subject-token']);
  return { app, identity, login, get, tokenOf, passTime };
}

function password(user: 'admin' | 'demo', scope?: unknown, secret = secrets.users[user].password) {
  const identity = { methods: ['password'], password: { user: { name: user, domain: { name: 'Default' }, password: secret } } };
  return { auth: { identity, ...(scope === undefined ? {} : { scope }) } };
}

const withToken = (id: string, scope?: unknown) => ({
  auth: { identity: { methods: ['token'], token: { id } }, ...(scope === undefined ? {} : { scope }) },
});

const wrongLogins: [what: string, body: unknown][] = [
  ['a wrong password', password('demo', undefined, 'wrong')],
  ['an unknown user', { auth: { identity: { methods: ['password'], password: { user: { id: 'nobody', password: 'x' } } } } }],
  [
    'a user of another domain',
    { auth: { identity: { methods: ['password'], password: { user: { name: 'demo', domain: { id: 'other' }, password: digits('4') } } } } },
  ],
  ['a project without a role', password('demo', { project: { name: 'admin', domain } })],
  ['an unknown project', password('admin', { project: { id: digits('9') } })],
  ['the scope of a domain', password('admin', { domain })],
  ['the scope of the system', password('admin', { system: { all: true } })],
  ['a token that is none', withToken('none')],
];
for (const [what, body] of wrongLogins)
  test(`a login with ${what} is refused with the same 401`, async () => {
    const answer = await setUp().login(body);
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers['www-authenticate'], 'Keystone uri="http://127.0.0.1:9518"');
    assert.deepEqual(answer.json(), {
      error: { code: 401, title: 'Unauthorized', message: 'The request you have made requires authentication.' },
    });
  });

const badBodies: [body: unknown, field: string][] = [
  [{}, 'auth'],
  [{ auth: [] }, 'auth'],
  [{ auth: {} }, 'auth.identity'],
  [{ auth: { identity: {} } }, 'auth.identity.methods'],
  [{ auth: { identity: { methods: ['password'] } } }, 'auth.identity.password'],
  [
    { auth: { identity: { methods: ['password'], password: { user: { name: 'demo', password: 'x' } } } } },
    'auth.identity.password.user.domain',
  ],
  [{ auth: { identity: { methods: ['password'], password: { user: { id: 'x', password: 7 } } } } }, 'auth.identity.password.user.password'],
  [password('demo', { project: 'demo' }), 'auth.scope.project'],
  [password('demo', {}), 'auth.scope'],
];
for (const [body, field] of badBodies)
  test(`the login ${JSON.stringify(body)} is a 400 that names ${field}`, async () => {
    const answer = await setUp().login(body);
    assert.equal(answer.statusCode, 400);
    assert.ok(answer.json().error.message.startsWith(`Invalid input for field '${field}': expected`), answer.body);
  });

test('a body that is no JSON is a 400', async () => {
  const answer = await setUp().app.inject({
    method: 'POST',
    url: '/v3/auth/tokens',
    headers: { 'content-type': 'application/json' },
    payload: '{',
  });
  assert.equal(answer.statusCode, 400);
  assert.equal(answer.json().error.title, 'Bad Request');
});

for (const scope of [undefined, { project: { name: 'demo', domain } }, { project: { id: secrets.projects.demo.id } }])
  test(`a password with the scope ${JSON.stringify(scope)} gives a token of the project, with roles and catalogue`, async () => {
    const { login, identity } = setUp();
    const answer = await login(password('demo', scope));
    assert.equal(answer.statusCode, 201);
    const { token } = answer.json();
    assert.deepEqual(token.project, { domain, id: secrets.projects.demo.id, name: 'demo' });
    assert.deepEqual(token.user, { domain, id: secrets.users.demo.id, name: 'demo', password_expires_at: null });
    assert.deepEqual([token.issued_at, token.expires_at], ['2026-01-01T00:00:00.000000Z', '2026-01-01T12:00:00.000000Z']);
    assert.deepEqual(
      token.catalog.map((service: { type: string; endpoints: { interface: string; url: string }[] }) => [
        service.type,
        service.endpoints.map((one) => `${one.interface} ${one.url}`),
      ]),
      [
        ['container', ['public', 'internal', 'admin'].map((side) => `${side} ${urls.container}`)],
        ['identity', ['public', 'internal', 'admin'].map((side) => `${side} ${urls.identity}`)],
      ],
    );
    assert.deepEqual(await identity.validate(String(answer.headers['x-subject-token'])), {
      userId: secrets.users.demo.id,
      userName: 'demo',
      projectId: secrets.projects.demo.id,
      projectName: 'demo',
      userDomainId: 'default',
      projectDomainId: 'default',
      roles: ['member', 'reader'],
      expiresAt: Date.UTC(2026, 0, 1, 12),
    });
  });

test('an unscoped token has no catalogue, counts for no service, and can be turned into one of a project that ends no later', async () => {
  const { login, identity, tokenOf, passTime } = setUp();
  const unscoped = await tokenOf('demo', 'unscoped');
  assert.equal(await identity.validate(unscoped), null);
  passTime(1000);
  const answer = await login(withToken(unscoped, { project: { name: 'demo', domain } }));
  assert.equal(answer.statusCode, 201);
  assert.deepEqual(answer.json().token.methods, ['password', 'token']);
  assert.equal(answer.json().token.expires_at, '2026-01-01T12:00:00.000000Z');
});

test('a token counts after a restart, and no longer when it expires', async () => {
  const token = await setUp().tokenOf('demo');
  const { identity, passTime } = setUp();
  assert.equal((await identity.validate(token))?.userName, 'demo');
  passTime(12 * 60 * 60 * 1000);
  assert.equal(await identity.validate(token), null);
});

test('tokens that were changed, cut, or signed by another key count for nothing', async () => {
  const { tokenOf, identity } = setUp();
  const token = await tokenOf('demo');
  const foreign = await setUp(digits('cd')).tokenOf('demo');
  for (const other of ['', '.', `${token}x`, `x${token}`, token.slice(0, -1), token.split('.')[0] ?? '', `${token}.x`, foreign, 'ä.ö'])
    assert.equal(await identity.validate(other), null, other);
});

test('the owner and the admin can ask about a token, another user cannot', async () => {
  const { get, tokenOf } = setUp();
  const [admin, demo] = [await tokenOf('admin'), await tokenOf('demo')];
  for (const asking of [admin, demo]) {
    const answer = await get('/v3/auth/tokens', asking, demo);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['x-subject-token'], demo);
    assert.equal(answer.json().token.user.name, 'demo');
  }
  assert.equal((await get('/v3/auth/tokens?nocatalog', admin, demo)).json().token.catalog, undefined);
  assert.equal((await get('/v3/auth/tokens', demo, admin)).statusCode, 403);
  assert.equal((await get('/v3/auth/tokens', admin, 'none')).statusCode, 404);
  assert.equal((await get('/v3/auth/tokens', '', demo)).statusCode, 401);
});

test('a token can be checked with HEAD and ended with DELETE', async () => {
  const { app, identity, tokenOf } = setUp();
  const [admin, demo] = [await tokenOf('admin'), await tokenOf('demo')];
  const headers = { 'x-auth-token': admin, 'x-subject-token': demo };
  const head = await app.inject({ method: 'HEAD', url: '/v3/auth/tokens', headers });
  assert.deepEqual([head.statusCode, head.body], [200, '']);
  assert.equal((await app.inject({ method: 'DELETE', url: '/v3/auth/tokens', headers })).statusCode, 204);
  assert.equal(await identity.validate(demo), null);
  assert.equal((await app.inject({ method: 'HEAD', url: '/v3/auth/tokens', headers })).statusCode, 404);
  assert.notEqual(await identity.validate(admin), null);
});

test('versions are told without a token', async () => {
  const { get } = setUp();
  const [root, v3] = [await get('/'), await get('/v3/')];
  assert.deepEqual([root.statusCode, v3.statusCode], [300, 200]);
  assert.deepEqual(root.json().versions.values, [v3.json().version]);
  assert.deepEqual(v3.json().version.links, [{ rel: 'self', href: 'http://127.0.0.1:9518/v3/' }]);
});

test('the admin lists, filters and shows everything', async () => {
  const { get, tokenOf } = setUp();
  const admin = await tokenOf('admin');
  for (const name of ['domains', 'projects', 'users', 'roles', 'services', 'endpoints', 'regions']) {
    const list = await get(`/v3/${name}`, admin);
    assert.equal(list.statusCode, 200, name);
    for (const row of list.json()[name]) assert.deepEqual((await get(`/v3/${name}/${row.id}`, admin)).json(), { [name.slice(0, -1)]: row });
  }
  const found = (await get('/v3/projects?name=demo&domain_id=default&enabled=true&page=3', admin)).json().projects;
  assert.deepEqual(
    found.map((project: { id: string }) => project.id),
    [secrets.projects.demo.id],
  );
  assert.equal((await get('/v3/projects/none', admin)).statusCode, 404);
});

test('others see themselves and what is theirs only', async () => {
  const { get, tokenOf } = setUp();
  const demo = await tokenOf('demo');
  const { users, projects } = secrets;
  for (const own of [
    `users/${users.demo.id}`,
    `projects/${projects.demo.id}`,
    'domains/default',
    `users/${users.demo.id}/projects`,
    'auth/projects',
    'auth/catalog',
  ])
    assert.equal((await get(`/v3/${own}`, demo)).statusCode, 200, own);
  assert.equal((await get('/v3/auth/projects', demo)).json().projects.length, 1);
  for (const foreign of [
    'users',
    'projects',
    `users/${users.admin.id}`,
    `projects/${projects.admin.id}`,
    `users/${users.admin.id}/projects`,
  ])
    assert.equal((await get(`/v3/${foreign}`, demo)).statusCode, 403, foreign);
  for (const path of ['users', 'auth/projects', 'auth/catalog', 'auth/domains', 'auth/system'])
    assert.equal((await get(`/v3/${path}`)).statusCode, 401, path);
});

test('an unknown path is a 404 in the same shape', async () => {
  const answer = await setUp().get('/v2.0/tokens?x=1');
  assert.deepEqual(answer.json(), {
    error: { code: 404, title: 'Not Found', message: 'The local identity does not know GET /v2.0/tokens.' },
  });
});
