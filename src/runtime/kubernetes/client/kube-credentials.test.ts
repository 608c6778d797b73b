import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { FakeApiServer } from '../../../../test/kubernetes-fake/fake-api-server.ts';
import { KubeClient } from './kube-client.ts';
import { KubeCredentials } from './kube-credentials.ts';

const pods = { method: 'GET' as const, path: '/api/v1/pods' };

async function setUp() {
  const stack = new AsyncDisposableStack();
  const fake = stack.use(await FakeApiServer.start());
  const folder = await mkdtemp(path.join(tmpdir(), 'kube-credentials-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const accepted = { token: 'one' };
  fake.answer = (asked) => {
    if (asked.headers.authorization === `Bearer ${accepted.token}`) asked.json(200, {});
    else asked.refuse(401, 'Unauthorized', 'Unauthorized');
  };
  return { fake, folder, accepted, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** A credential plugin that counts how often it is run, and gives what the file `token` holds. */
async function plugin(folder: string, script = ''): Promise<{ command: string; args: string[]; env: [] }> {
  await writeFile(
    path.join(folder, 'plugin.sh'),
    `echo run >>${folder}/runs
${script}
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"%s"}}' "$(tr -d '\\n' <${folder}/token)"`,
  );
  return { command: '/bin/sh', args: [path.join(folder, 'plugin.sh')], env: [] };
}

const runs = async (folder: string) => (await readFile(path.join(folder, 'runs'), 'utf8')).trim().split('\n').length;

test('a token that is no longer accepted is read from its file again, once for each refusal', async () => {
  await using bench = await setUp();
  const tokenFile = path.join(bench.folder, 'token');
  await writeFile(tokenFile, 'one\n');
  const client = new KubeClient(bench.fake.config({ token: '', authProvider: { name: 'tokenFile', config: { tokenFile } } }));
  await client.request(pods);
  await writeFile(tokenFile, 'two\n');
  bench.accepted.token = 'two';
  await client.request({ ...pods, method: 'POST', body: {} });
  assert.deepEqual(
    bench.fake.asked.map(({ headers }) => headers.authorization),
    ['Bearer one', 'Bearer one', 'Bearer two'],
  );
  bench.accepted.token = 'three';
  await assert.rejects(client.request(pods), { name: 'KubeError', status: 401 });
  assert.equal(bench.fake.asked.length, 4);
  await client.close();
});

test('a plugin is run once for those who ask at the same time, and again when what it gave is refused', async () => {
  await using bench = await setUp();
  await writeFile(path.join(bench.folder, 'token'), 'one');
  const client = new KubeClient(bench.fake.config({ token: '', exec: await plugin(bench.folder) }));
  await Promise.all([client.request(pods), client.request(pods), client.request(pods)]);
  await client.request(pods);
  assert.equal(await runs(bench.folder), 1);
  await writeFile(path.join(bench.folder, 'token'), 'two');
  bench.accepted.token = 'two';
  await client.request(pods);
  assert.equal(await runs(bench.folder), 2);
  await client.close();
});

test('a plugin that always gives something new is not run without end', async () => {
  await using bench = await setUp();
  const script = `cp ${bench.folder}/runs ${bench.folder}/token`;
  const client = new KubeClient(bench.fake.config({ token: '', exec: await plugin(bench.folder, script) }));
  await assert.rejects(client.request(pods), { name: 'KubeError', status: 401 });
  assert.equal(bench.fake.asked.length, 2);
  await client.close();
});

test('a plugin that fails or is not there is a fault with its words', async () => {
  await using bench = await setUp();
  const failing = new KubeClient(bench.fake.config({ token: '', exec: await plugin(bench.folder, 'echo log in first >&2; exit 1') }));
  const message = 'The credentials for Kubernetes cannot be had: log in first';
  await assert.rejects(failing.request(pods), { name: 'RuntimeFault', kind: 'unreachable', message });
  const absent = new KubeClient(bench.fake.config({ token: '', exec: { command: '/no/such/plugin', args: [] } }));
  await assert.rejects(absent.request(pods), { kind: 'unreachable', message: /^The credentials .*ENOENT/ });
  assert.equal(bench.fake.asked.length, 0);
  await failing.close();
  await absent.close();
});

test('name and password are sent as such, an impersonated user is named', async () => {
  await using bench = await setUp();
  const config = bench.fake.config({ token: '', username: 'me', password: 'pä:ss', impersonateUser: 'you' });
  const { headers } = await new KubeCredentials(config).current();
  assert.deepEqual(headers, {
    authorization: `Basic ${Buffer.from('me:pä:ss').toString('base64')}`,
    'impersonate-user': 'you',
  });
});
