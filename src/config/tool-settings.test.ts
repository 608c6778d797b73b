import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readToolSettings } from './tool-settings.ts';

const key = '0123456789abcdef0123456789abcdef';

function folder(t: TestContext, files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), 'zun-tools-'));
  t.after(() => rmSync(path, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

test("the tools read the configuration file of the programs, and the original's", (t) => {
  const path = folder(t, {
    'zun.yaml': `database: {url: 'mysql://db/new'}\nencryptionKey: ${key}\n`,
    'zun.conf': `[DEFAULT]\nauth_encryption_key = ${key}\n[database]\nconnection = mysql+pymysql://db/old\n`,
  });
  assert.deepEqual(readToolSettings({}, { ZUN_CONFIG: join(path, 'zun.yaml') }), {
    connection: 'mysql://db/new',
    authEncryptionKey: key,
    policyFile: join(path, 'policy.yaml'),
  });
  assert.deepEqual(readToolSettings({ configFile: join(path, 'zun.conf') }, {}), {
    connection: 'mysql+pymysql://db/old',
    authEncryptionKey: key,
    policyFile: '/etc/zun/policy.yaml',
  });
});

test('the command line wins over variables, and these over the file', (t) => {
  const file = join(folder(t, { 'zun.yaml': "database: {url: 'mysql://db/file'}\n" }), 'zun.yaml');
  assert.equal(readToolSettings({}, { ZUN_CONFIG: file, ZUN_DATABASE: 'mysql://db/variable' }).connection, 'mysql://db/variable');
  assert.equal(
    readToolSettings({ database: 'mysql://db/line' }, { ZUN_CONFIG: file, ZUN_DATABASE: 'mysql://x' }).connection,
    'mysql://db/line',
  );
});

test('a file that cannot be read or used is an error with its name', (t) => {
  const path = folder(t, { 'zun.yaml': 'databse: {}\n', 'zun.conf': 'nonsense\n' });
  assert.throws(() => readToolSettings({ configFile: join(path, 'no.yaml') }, {}), /no\.yaml: ENOENT/);
  assert.throws(() => readToolSettings({ configFile: join(path, 'zun.yaml') }, {}), /zun\.yaml:1:1: there is no setting 'databse'/);
  assert.throws(() => readToolSettings({ configFile: join(path, 'zun.conf') }, {}), /zun\.conf: line 1 is neither/);
});
