import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { isFault } from '../../runtime-fault.ts';
import { RegistryClient } from './registry-client.ts';

const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** A registry of the test's own; answers its address. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const credentials = { username: 'user', password: 'p:ss' };
const basic = `Basic ${Buffer.from('user:p:ss').toString('base64')}`;
const scope = 'repository:app:pull,push';

test('logs in with the password where the registry asks for it, once', async () => {
  const seen: (string | undefined)[] = [];
  const registry = await serve((request, response) => {
    seen.push(request.headers.authorization);
    if (request.headers.authorization === basic) response.end('in');
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
  });
  const client = new RegistryClient(registry, credentials);
  assert.equal((await client.ask({ method: 'GET', path: '/v2/' })).body.toString(), 'in');
  assert.equal((await client.ask({ method: 'GET', path: '/v2/' })).status, 200);
  assert.deepEqual(seen, [undefined, basic, basic]);
});

test('logs in with the token that the token service gives for the scope, again when it has expired', async () => {
  const asked: { url: string | undefined; authorization: string | undefined }[] = [];
  const service = await serve(({ url, headers }, response) => {
    asked.push({ url, authorization: headers.authorization });
    response.end(JSON.stringify({ token: `t${asked.length}` }));
  });
  let valid = 'Bearer t1';
  const registry = await serve((request, response) => {
    if (request.headers.authorization === valid) return void response.writeHead(202).end();
    response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${service}/token",service="reg",scope="${scope}"` }).end();
  });
  const client = new RegistryClient(registry, credentials);
  assert.equal((await client.ask({ method: 'POST', path: '/v2/app/blobs/uploads/' })).status, 202);
  valid = 'Bearer t2';
  assert.equal((await client.ask({ method: 'POST', path: '/v2/app/blobs/uploads/' })).status, 202);
  const url = `/token?service=reg&scope=${encodeURIComponent(scope)}`;
  assert.deepEqual(asked, [
    { url, authorization: basic },
    { url, authorization: basic },
  ]);
});

test('a refusal is told in the registry’s words, and a demand without credentials as one', async () => {
  const denied = JSON.stringify({ errors: [{ code: 'DENIED', message: 'not yours' }] });
  const registry = await serve((request, response) => {
    if (request.headers.authorization) response.writeHead(403).end(denied);
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
  });
  const refused = (words: RegExp) => (error: unknown) => isFault(error, 'denied') && words.test(error.message);
  await assert.rejects(new RegistryClient(registry, credentials).ask({ method: 'GET', path: '/v2/' }), refused(/: not yours$/));
  await assert.rejects(new RegistryClient(registry, null).ask({ method: 'GET', path: '/v2/' }), refused(/user name and a password/));
});

test('the login stays with the registry that asked for it', async () => {
  const seen: (string | undefined)[] = [];
  const storage = await serve((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(201).end();
  });
  const registry = await serve((request, response) => {
    if (request.headers.authorization) response.writeHead(202, { location: `http://${storage}/upload?x=1` }).end();
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
  });
  const client = new RegistryClient(registry, credentials);
  const { headers } = await client.ask({ method: 'POST', path: '/v2/app/blobs/uploads/' });
  await client.ask({ method: 'PUT', path: String(headers.location), body: () => Buffer.from('layer') });
  assert.deepEqual(seen, [undefined]);
});
