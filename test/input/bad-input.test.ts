import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { probe } from './input-probe.ts';
import { enough, type InputWorld, inputWorld } from './input-world.ts';
import { nastyBodies, nastyContentTypes, nastyHeaders, nastyIdents, nastyMembers, nastyQueryValues } from './nasty-values.ts';
import { parametersOf, routes } from './request-parameters.ts';

/** One value in so many is tried with each parameter, another one with the next: all of them take a minute and a half. */
const stride = 12;
/** The same requests in every run. */
const seed = 20_260_301;

describe('bad input gets an error document, and nothing is made of it', () => {
  let world: InputWorld;
  before(async () => {
    world = await inputWorld();
  });
  after(() => world.bench.database.close());

  for (const row of routes) {
    const route = `${row.method} ${row.path}`;
    const version = row.max ?? '1.40';
    const hasBody = row.method !== 'GET';
    const base = enough[route] ?? {};
    const url = () => row.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => world.idents[name] ?? 'x');
    const send = async (target: string, body?: string | Buffer, headers: Record<string, string> = {}) => {
      const request = { method: row.method, url: target, headers: { 'openstack-api-version': `container ${version}`, ...headers } };
      const status = await probe(world.bench, { ...request, ...(hasBody && body !== undefined ? { body } : {}) });
      if (status < 400) await world.restore();
    };

    test(`${route} up to ${version}: each parameter in the query, once and twice`, async () => {
      for (const [at, name] of parametersOf(row).entries()) {
        const rest = Object.entries(base).filter(([other, value]) => other !== name && typeof value === 'string');
        for (const [index, value] of some(nastyQueryValues, at)) {
          const query = [...rest.map(([key, own]) => `${key}=${encodeURIComponent(String(own))}`), `${name}=${value}`];
          if (index % 3 === 0) query.push(`${name}=${value}`);
          await send(`${url()}?${query.join('&')}`, '{}');
        }
      }
    });

    if (row.path.includes('{')) {
      test(`${route} up to ${version}: what is named in the path`, async () => {
        for (const [, ident] of some(nastyIdents, row.path.length)) {
          await send(row.path.replace(/\{\w+\}/, () => ident).replaceAll(/\{\w+\}/g, 'x'), JSON.stringify(base));
        }
      });
    }
    if (!hasBody) continue;

    test(`${route} up to ${version}: each parameter in the body`, async () => {
      for (const [at, name] of parametersOf(row).entries()) {
        for (const [, value] of some(nastyMembers, at)) await send(url(), JSON.stringify({ ...base, [name]: value }));
      }
    });

    test(`${route} up to ${version}: bodies that are no object, and content types`, async () => {
      for (const [, body] of some(nastyBodies, row.path.length)) await send(url(), body);
      for (const [, type] of some(nastyContentTypes, row.path.length)) await send(url(), JSON.stringify(base), { 'content-type': type });
    });
  }

  test('headers', async () => {
    for (const [name, value] of nastyHeaders) {
      for (const url of ['/', '/v1/', '/v1/containers', '/v1/nosuch', '/v2/containers']) {
        await probe(world.bench, { method: 'GET', url, headers: { [name]: value } });
      }
    }
  });

  test('bodies of a create that are nearly right', async () => {
    const create = routes.find(({ method, path, max }) => method === 'POST' && path === '/v1/containers' && max === '1.40');
    assert.ok(create);
    const nearly = fc.record(
      Object.fromEntries(
        parametersOf(create).map((name) => [name, fc.oneof({ weight: 3, arbitrary: shapes }, { weight: 1, arbitrary: fc.jsonValue() })]),
      ),
      { requiredKeys: [] },
    );
    const property = fc.asyncProperty(nearly, async (members) => {
      const body = JSON.stringify({ ...enough['POST /v1/containers'], ...few(members) });
      if ((await probe(world.bench, { method: 'POST', url: '/v1/containers?run=true', body })) < 400) await world.restore();
    });
    await fc.assert(property, { seed, numRuns: 200, endOnFailure: true });
  });

  test('queries of the list of containers', async () => {
    const names = fc.constantFrom(
      'limit',
      'marker',
      'sort_key',
      'sort_dir',
      'name',
      'image',
      'status',
      'all_projects',
      'host',
      'memory',
      '',
    );
    const query = fc.array(fc.tuple(names, fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String))), { maxLength: 4 });
    const property = fc.asyncProperty(query, async (pairs) => {
      const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
      await probe(world.bench, { method: 'GET', url: `/v1/containers?${text}` });
    });
    await fc.assert(property, { seed, numRuns: 200, endOnFailure: true });
  });
});

/** Every `stride`th value from an offset on, with its number. */
function some<T>(values: T[], offset: number): [number, T][] {
  return [...values.entries()].filter(([index]) => (index + offset) % stride === 0);
}

/** The first three members: more of them are refused for the first one that is wrong. */
function few(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).slice(0, 3));
}

const words = fc.oneof(
  fc.constantFrom(
    '',
    'busybox',
    'zun',
    'second',
    'existing',
    'true',
    '1',
    '-1',
    '0',
    'no',
    'always',
    'on-failure',
    '/data',
    '/',
    '80/tcp',
    '10.0.0.1',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
/** What members of a create look like, with something else here and there. */
const shapes = fc.oneof(
  words,
  fc.integer(),
  fc.boolean(),
  fc.array(words, { maxLength: 3 }),
  fc.dictionary(words, words, { maxKeys: 3 }),
  fc.array(fc.dictionary(fc.constantFrom('network', 'port', 'v4-fixed-ip', 'v6-fixed-ip', 'preserve_on_delete'), words), { maxLength: 2 }),
  fc.array(fc.dictionary(fc.constantFrom('source', 'destination', 'size', 'type'), words), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('Name', 'MaximumRetryCount'), words),
  fc.dictionary(fc.constantFrom('cmd', 'interval', 'timeout', 'retries'), words),
  fc.dictionary(fc.constantFrom('80/tcp', '80', '99999/udp', 'x'), fc.constant({})),
);
