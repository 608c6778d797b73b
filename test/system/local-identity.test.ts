import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { identityServer } from '../../src/local/identity/identity-server.ts';
import { LocalIdentity } from '../../src/local/identity/local-identity.ts';
import { openSecrets } from '../../src/local/identity/local-secrets.ts';
import { writeCloudsFile } from '../../src/local/identity/write-clouds-file.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { type PythonClient, pythonClient } from './python-client.ts';

describe('the local identity with the real clients', () => {
  let client: PythonClient;
  let server: FastifyInstance;
  let identity: LocalIdentity;
  let folder: string;
  let urls: { identity: string; container: string };
  const cloud = (name: string) => ({ cloudsFile: path.join(folder, 'clouds.yaml'), name });

  before(async () => {
    client = await pythonClient();
    folder = await mkdtemp(path.join(tmpdir(), 'zun-identity-'));
    const port = await freePort();
    urls = { identity: `http://127.0.0.1:${port}/v3`, container: 'http://127.0.0.1:9/v1' };
    identity = new LocalIdentity(await openSecrets(folder, randomIds), systemClock, randomIds);
    await writeCloudsFile(cloud('').cloudsFile, identity.directory, urls);
    server = identityServer(identity, urls);
    await server.listen({ host: '127.0.0.1', port });
  });

  after(async () => {
    await server?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  test('openstack token issue gets a token that counts for services', async () => {
    const issued = await client.json<{ id: string; project_id: string; user_id: string }>(cloud('zun'), 'token', 'issue');
    const holder = await identity.validate(issued.id);
    assert.deepEqual([holder?.userId, holder?.projectId], [issued.user_id, issued.project_id]);
    await client.text(cloud('zun'), 'token', 'revoke', issued.id);
    assert.equal(await identity.validate(issued.id), null);
  });

  test('openstack catalog list names the container service and the identity', async () => {
    const rows = await client.json<{ Type: string; Endpoints: { interface: string; url: string }[] }[]>(cloud('zun'), 'catalog', 'list');
    const found = rows.map((row) => [row.Type, ...new Set(row.Endpoints.map((endpoint) => endpoint.url))]);
    assert.deepEqual(found, [
      ['container', urls.container],
      ['identity', urls.identity],
    ]);
  });

  test('the admin lists projects, users, services and endpoints; the plain user sees only the own project', async () => {
    const names = async (name: string, thing: string) =>
      (await client.json<{ Name: string }[]>(cloud(name), thing, 'list')).map((row) => row.Name);
    assert.deepEqual(await names('zun-admin', 'project'), ['admin', 'demo']);
    assert.deepEqual(await names('zun-admin', 'user'), ['admin', 'demo']);
    assert.deepEqual(await names('zun-admin', 'service'), ['zun', 'keystone']);
    assert.equal((await client.json<unknown[]>(cloud('zun-admin'), 'endpoint', 'list')).length, 6);
    assert.deepEqual(await names('zun', 'project'), ['demo']);
    const refused = await client.try(cloud('zun'), 'user', 'list');
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /not authorized to perform the requested action: identity:list_users/);
  });

  test('a wrong password is refused in words that the client shows', async () => {
    const refused = await client.try(cloud('zun'), '--os-password', 'wrong', 'token', 'issue');
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /The request you have made requires authentication/);
  });
});

/** The server's own addresses are part of what it answers, so its port is known before it listens. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}
