import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import type { Operation, RouteRow } from '../../src/api/operation.ts';
import { authenticationStep } from '../../src/api/pipeline/authentication.ts';
import { bodyStep } from '../../src/api/pipeline/body.ts';
import { requestIdStep } from '../../src/api/pipeline/request-id.ts';
import { routingStep } from '../../src/api/pipeline/routing.ts';
import { versionStep } from '../../src/api/pipeline/version.ts';
import { Router } from '../../src/api/router.ts';
import { apiServer } from '../../src/api/server.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { silentLogger } from '../../src/telemetry/logger.ts';
import { benchIdentity } from '../bench/bench-identity.ts';
import { contractText } from '../contract/vectors.ts';

const limits = { body: 10_000, archive: 100_000 };
/** Milliseconds; short, so that a test need not wait long for them. */
const slow = { headersTimeout: 300, requestTimeout: 900 };

const { routes } = JSON.parse(contractText('routes.json')) as { routes: RouteRow[] };
const operations: Operation[] = ['POST /v1/containers', 'POST /v1/containers/{container_ident}/put_archive'].map((route) => ({
  route,
  handle: () => ({ status: 200 }),
}));
const policy = { refresh: async () => {}, isAdmin: () => false };
const server = apiServer({
  steps: [
    requestIdStep(randomIds),
    authenticationStep({ identity: benchIdentity, policy, identityUrl: 'http://identity.example', logger: silentLogger }),
    versionStep,
    routingStep(new Router(routes, operations)),
    bodyStep(limits),
    ({ rawBody }) => ({ status: 200, body: { bytes: rawBody.length } }),
  ],
  ids: randomIds,
  logger: silentLogger,
  publicUrl: null,
  ...slow,
});

before(() => server.listen({ host: '127.0.0.1', port: 0 }));
after(() => server.close());

/** Sends text over a connection of its own, and answers all that came back until the server hung up. */
function exchange(...parts: string[]): Promise<string> {
  const { port } = server.server.address() as AddressInfo;
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part);
    });
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(answer));
  });
}

const create = '/v1/containers';
const archive = '/v1/containers/web/put_archive';

function head(path: string, headers: Record<string, string | number>, token = 'demo'): string {
  const all = { Host: 'zun.example', Accept: 'application/json', 'X-Auth-Token': token, 'Content-Type': 'application/json', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

const statusOf = (answer: string): number => Number(answer.split(' ')[1]);
const post = (path: string, bytes: number) => exchange(head(path, { 'Content-Length': bytes, Connection: 'close' }), 'x'.repeat(bytes));
const posted = (bytes: number) => new RegExp(`"bytes":${bytes}`);

test('a body of the longest length is taken, one that says it is longer is refused before it is read', async () => {
  assert.match(await post(create, limits.body), posted(limits.body));
  const refused = await exchange(head(create, { 'Content-Length': limits.body + 1 }));
  assert.equal(statusOf(refused), 413);
  assert.match(refused, /"title":"Payload Too Large"/i);
});

test('a body that does not say how long it is is refused once it is longer', async () => {
  const chunk = `${limits.body.toString(16)}\r\n${'x'.repeat(limits.body)}\r\n`;
  const refused = await exchange(head(create, { 'Transfer-Encoding': 'chunked' }), chunk, chunk);
  assert.equal(statusOf(refused), 413);
  const taken = await exchange(head(create, { 'Transfer-Encoding': 'chunked', Connection: 'close' }), chunk, '0\r\n\r\n');
  assert.match(taken, posted(limits.body));
});

test('an archive may be longer than other bodies, and not longer than archives may be', async () => {
  assert.match(await post(archive, limits.archive), posted(limits.archive));
  assert.equal(statusOf(await exchange(head(archive, { 'Content-Length': limits.archive + 1 }))), 413);
});

test('of who has no token nothing is read', async () => {
  const refused = await exchange(head(archive, { 'Content-Length': limits.archive, Connection: 'close' }, ''), 'x');
  assert.equal(statusOf(refused), 401);
});

test('headers of more than 16 KiB are refused in the words of the API', async () => {
  const refused = await exchange(head(create, { 'X-Long': 'x'.repeat(17 * 1024), 'Content-Length': 0 }));
  assert.equal(statusOf(refused), 431);
  assert.equal(JSON.parse(refused.slice(refused.indexOf('\r\n\r\n'))).errors[0].status, 431);
});

test('what is no HTTP is refused and hung up on', async () => {
  assert.equal(statusOf(await exchange('hello\r\n\r\n')), 400);
});

test('who does not come to the end of the headers is hung up on', async () => {
  assert.equal(statusOf(await exchange(`POST ${create} HTTP/1.1\r\nHost: zun`)), 408);
});

test('who does not come to the end of the body is hung up on', async () => {
  const refused = await exchange(head(create, { 'Content-Length': 100 }), 'half');
  assert.match(refused, /^(HTTP\/1\.1 (408|400) .*)?$/s);
});
