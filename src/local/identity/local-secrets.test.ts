import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { randomIds } from '../../telemetry/ids.ts';
import { localDirectory } from './local-directory.ts';
import { openSecrets } from './local-secrets.ts';
import { writeCloudsFile } from './write-clouds-file.ts';

async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'zun-identity-'));
  t.after(() => rm(made, { recursive: true }));
  return made;
}

test('secrets are made once, differ everywhere, and only the owner can read them', async (t) => {
  const [one, two] = [await folder(t), await folder(t)];
  const secrets = await openSecrets(one, randomIds);
  const file = path.join(one, 'identity.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  await chmod(file, 0o644);
  assert.deepEqual(await openSecrets(one, randomIds), secrets);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const words = JSON.stringify([secrets, await openSecrets(two, randomIds)]).match(/[0-9a-f]{32,}/g) ?? [];
  assert.equal(words.length, 14);
  assert.equal(new Set(words).size, words.length);
});

test('programs that start at the same time on one folder have the same secrets, and leave nothing else', async (t) => {
  const data = await folder(t);
  const made = await Promise.all(Array.from({ length: 8 }, () => openSecrets(data, randomIds)));
  for (const secrets of made) assert.deepEqual(secrets, made[0]);
  assert.deepEqual(await readdir(data), ['identity.json']);
});

for (const content of ['', '{}', '[]', '{"signingKey": "short", "users": {}, "projects": {}}'])
  test(`a file with ${JSON.stringify(content)} instead of secrets is refused with its name, and kept`, async (t) => {
    const data = await folder(t);
    await writeFile(path.join(data, 'identity.json'), content);
    await assert.rejects(openSecrets(data, randomIds), /identity\.json does not hold the secrets/);
    assert.equal(await readFile(path.join(data, 'identity.json'), 'utf8'), content);
  });

test('clouds.yaml names both users, the newest microversion as text, and only the owner can read it', async (t) => {
  const data = await folder(t);
  const directory = localDirectory(await openSecrets(data, randomIds));
  const file = path.join(data, 'clouds.yaml');
  await writeCloudsFile(file, directory, { identity: 'http://127.0.0.1:9518/v3', container: 'http://127.0.0.1:9517/v1' });
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const { clouds } = parse(await readFile(file, 'utf8'));
  assert.deepEqual(Object.keys(clouds).sort(), ['zun', 'zun-admin']);
  assert.deepEqual(clouds.zun, {
    auth: {
      auth_url: 'http://127.0.0.1:9518/v3',
      username: 'demo',
      password: directory.users.find((user) => user.name === 'demo')?.password,
      project_name: 'demo',
      user_domain_name: 'Default',
      project_domain_name: 'Default',
    },
    region_name: 'RegionOne',
    interface: 'public',
    identity_api_version: '3',
    container_api_version: '1.40',
  });
});
