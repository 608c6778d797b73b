import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contractText } from '../../test/contract/vectors.ts';
import type { RouteRow } from './operation.ts';
import { Router, segmentsOf } from './router.ts';

const { routes } = JSON.parse(contractText('routes.json')) as { routes: RouteRow[] };
const operations = [...new Set(routes.map((row) => `${row.method} ${row.path}`))].map((route) => ({
  route,
  handle: () => ({ status: 200 }),
}));
const router = new Router(routes, operations);
const resolve = (request: string) => {
  const [method = '', path = ''] = request.split(' ');
  return router.resolve(method, segmentsOf(path));
};
const allowed = (request: string) => {
  const resolution = resolve(request);
  return resolution.kind === 'no-method' ? resolution.allow.join() : resolution.kind;
};

describe('the router', () => {
  test('finds every route of the contract, with its parameters bound', () => {
    for (const row of routes) {
      const found = resolve(`${row.method} ${row.path.replace(/\{\w+\}/g, 'x')}`);
      assert.ok(found.kind === 'found', `${row.method} ${row.path}`);
      assert.ok(
        found.match.endpoints.some((endpoint) => endpoint.row.path === row.path),
        row.path,
      );
      assert.deepEqual(found.match.unbound, []);
    }
    const found = resolve('POST /v1/containers/web/start');
    assert.deepEqual(found.kind === 'found' && found.match.path, { container_ident: 'web' });
  });

  test('answers 405 by what the collection can do, 404 for too much of a path', () => {
    assert.equal(allowed('PUT /v1/containers/web'), 'DELETE,GET,PATCH,POST');
    assert.equal(allowed('HEAD /v1/containers'), 'DELETE,GET,PATCH,POST');
    assert.equal(allowed('GET /v1/networks'), 'DELETE,POST');
    assert.equal(allowed('GET /v1/services/1'), 'DELETE,GET');
    assert.equal(allowed('POST /v1/containers/web/container_actions'), 'GET');
    assert.equal(allowed('POST /v1/nothing'), 'GET');
    for (const request of [
      'GET /v1/nothing',
      'GET /v1/containers/web/start',
      'POST /v1/containers/web/explode',
      'POST /v1/containers/db/start/extra',
    ]) {
      assert.equal(allowed(request), 'no-route', request);
    }
  });

  test('takes handler arguments by their place in the path, and leaves missing ones to be found by name', () => {
    const bound = (request: string) => {
      const resolution = resolve(request);
      assert.ok(resolution.kind === 'found', request);
      const { path, positional, unbound } = resolution.match;
      return { path, positional, unbound };
    };
    assert.deepEqual(bound('POST /v1/containers/true'), { path: {}, positional: { run: 'true' }, unbound: [] });
    assert.deepEqual(bound('DELETE /v1/services/h/b'), { path: {}, positional: { host: 'h', binary: 'b' }, unbound: [] });
    assert.deepEqual(bound('POST /v1/containers/start'), { path: {}, positional: {}, unbound: ['container_ident'] });
    assert.deepEqual(bound('DELETE /v1/containers'), { path: {}, positional: {}, unbound: ['container_ident'] });
  });
});
