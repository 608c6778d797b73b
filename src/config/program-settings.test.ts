import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readEnvironment } from './environment.ts';
import { programSettings } from './program-settings.ts';

const key = 'encryptionKey: 0123456789abcdef0123456789abcdef\n';

function read(t: TestContext, text: string, all: Record<string, string> = {}, readsPasswords = true) {
  const folder = mkdtempSync(join(tmpdir(), 'zun-settings-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'zun.yaml');
  writeFileSync(file, text);
  return programSettings({ environment: readEnvironment({ ZUN_CONFIG: file, ...all }), hostname: 'node', readsPasswords }).settings;
}

test("programs of their own read the file that ZUN_CONFIG names, with the original's defaults, and variables win", (t) => {
  const settings = read(t, 'host: n1\napi: {port: 7000}\n', { ZUN_ADMIN_PORT: '7001', ZUN_HOST: '::1' });
  assert.deepEqual(
    [settings.host, settings.api.listen, settings.admin.listen],
    ['n1', { host: '::1', port: 7000 }, { host: '0.0.0.0', port: 7001 }],
  );
  assert.equal(settings.containers.defaultImagePullPolicy, 'always');
});

test('the name of the node and the key of passwords are secrets and facts of a Pod, which come by variables', (t) => {
  const settings = read(t, `host: n1\n${key}`, { ZUN_NODE: 'node-7', ZUN_ENCRYPTION_KEY: 'x'.repeat(32) });
  assert.deepEqual([settings.host, settings.encryptionKey], ['node-7', 'x'.repeat(32)]);
  assert.throws(() => read(t, key, { ZUN_NODE: 'a b' }), /ZUN_NODE is 'a b': a name of/);
  // Its value is nobody's business.
  assert.throws(
    () => read(t, key, { ZUN_ENCRYPTION_KEY: 'short' }),
    /^Error: ZUN_ENCRYPTION_KEY is something else than at least 32 ASCII characters\.$/,
  );
});

test('a cluster is listed every ten minutes, an engine every minute, unless the file says otherwise', (t) => {
  const cluster = `${key}runtime: {kind: kubernetes}\n`;
  assert.equal(read(t, '').sync.listIntervalMilliseconds, 60_000);
  assert.equal(read(t, cluster).sync.listIntervalMilliseconds, 600_000);
  assert.equal(read(t, `${cluster}sync: {listIntervalMilliseconds: 5000}\n`).sync.listIntervalMilliseconds, 5000);
});

test('an engine of one process, and a key that each machine would make for itself, are refused', (t) => {
  assert.throws(() => read(t, 'engine: {search: memory}\n'), /engine\.search or ZUN_ENGINE is 'memory': that is for standalone/);
  assert.throws(() => read(t, 'runtime: {kind: kubernetes}\n'), /encryptionKey is not set/);
  // An agent has nothing to decrypt.
  assert.equal(read(t, 'runtime: {kind: kubernetes}\n', {}, false).encryptionKey, null);
});

test('what a cluster is told is read: maps, switches, names by the rules of Kubernetes', (t) => {
  const { kubernetes } = read(
    t,
    `${key}runtime: {kind: kubernetes}\nkubernetes:\n  nodeAccess: true\n  runtimeClasses: {gvisor: runsc}\n  defaultRuntimeClass: ''\n`,
  );
  assert.deepEqual([kubernetes.nodeAccess, kubernetes.runtimeClasses, kubernetes.defaultRuntimeClass], [true, { gvisor: 'runsc' }, '']);
  for (const [text, words] of [
    ['nodeAccess: yes', /zun\.yaml:2:15: kubernetes\.nodeAccess is 'yes': true or false is wanted/],
    [
      'runtimeClasses: {kata: Kata_1}',
      /kubernetes\.runtimeClasses is \{"kata":"Kata_1"\}: a map of runtimes of Zun to names of RuntimeClasses is wanted/,
    ],
    ['runtimeClasses: [kata]', /kubernetes\.runtimeClasses is \["kata"\]: a map of /],
    ['namespacePrefix: Zun', /kubernetes\.namespacePrefix is 'Zun'/],
    ['defaultRuntimeClass: Kata', /kubernetes\.defaultRuntimeClass is 'Kata'/],
  ] as const)
    assert.throws(() => read(t, `kubernetes:\n  ${text}\n`), words);
});
