import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readEnvironment } from './environment.ts';
import { standaloneSettings } from './standalone-settings.ts';

function folder(t: TestContext, text: string | null): string {
  const path = mkdtempSync(join(tmpdir(), 'zun-settings-'));
  t.after(() => rmSync(path, { recursive: true }));
  if (text !== null) writeFileSync(join(path, 'zun.yaml'), text);
  return path;
}

const read = (all: Record<string, string>) => standaloneSettings({ environment: readEnvironment(all), hostname: 'node' });

test('without a file and variables everything has its default', (t) => {
  const { settings, file } = read({ ZUN_DATA: folder(t, null) });
  assert.equal(file, null);
  assert.deepEqual(settings.api.listen, { host: '127.0.0.1', port: 9517 });
  assert.deepEqual(settings.admin.listen, { host: '127.0.0.1', port: 9520 });
  assert.equal(settings.containers.defaultImagePullPolicy, 'ifnotpresent');
  assert.deepEqual(settings.engine, { search: 'any', address: null });
});

test('zun.yaml of the data folder counts, and variables win over it', (t) => {
  const text = `
host: n1
api: {host: 0.0.0.0, port: 7000}
log: {level: error}
engine: {address: 'tcp://10.0.0.1:2375'}
containers: {defaultRegistry: 'r:1', defaultImagePullPolicy: always}
`;
  const data = folder(t, text);
  const { settings, file } = read({ ZUN_DATA: data });
  assert.equal(file, join(data, 'zun.yaml'));
  assert.equal(settings.host, 'n1');
  assert.deepEqual(
    [settings.api.listen, settings.admin.listen],
    [
      { host: '0.0.0.0', port: 7000 },
      { host: '0.0.0.0', port: 7003 },
    ],
  );
  assert.deepEqual(settings.engine, { search: 'any', address: 'tcp://10.0.0.1:2375' });
  assert.deepEqual([settings.containers.defaultRegistry, settings.containers.defaultImagePullPolicy], ['r:1', 'always']);

  const all = {
    ZUN_DATA: data,
    ZUN_PORT: '8000',
    ZUN_HOST: '::1',
    ZUN_LOG: 'debug',
    ZUN_DEFAULT_REGISTRY: 'r:2',
    DOCKER_HOST: 'unix:///run/x',
  };
  const { settings: over } = read(all);
  assert.deepEqual(
    [over.api.listen, over.admin.listen],
    [
      { host: '::1', port: 8000 },
      { host: '::1', port: 8003 },
    ],
  );
  assert.deepEqual([over.log.level, over.containers.defaultRegistry, over.engine.address], ['debug', 'r:2', 'unix:///run/x']);
});

test('a search that ZUN_ENGINE asks for is not answered by an address of the file', (t) => {
  const data = folder(t, 'engine: {address: /run/docker.sock}');
  assert.deepEqual(read({ ZUN_DATA: data, ZUN_ENGINE: 'private' }).settings.engine, { search: 'private', address: null });
});

test('health and metrics are where the file or ZUN_ADMIN_PORT says', (t) => {
  const data = folder(t, 'admin: {host: 10.0.0.1, port: 9090}');
  assert.deepEqual(read({ ZUN_DATA: data }).settings.admin.listen, { host: '10.0.0.1', port: 9090 });
  assert.equal(read({ ZUN_DATA: data, ZUN_ADMIN_PORT: '9091' }).settings.admin.listen.port, 9091);
});

test('ZUN_CONFIG names another file, which has to be there', (t) => {
  const [data, other] = [folder(t, 'host: a'), folder(t, 'host: b')];
  assert.equal(read({ ZUN_DATA: data, ZUN_CONFIG: join(other, 'zun.yaml') }).settings.host, 'b');
  assert.throws(
    () => read({ ZUN_DATA: data, ZUN_CONFIG: join(other, 'no.yaml') }),
    /^Error: the configuration file cannot be read: ENOENT.*no\.yaml/,
  );
});

test('a port of the file that leaves no room for those after it is refused', (t) => {
  assert.throws(
    () => read({ ZUN_DATA: folder(t, 'api: {port: 65533}') }),
    /zun\.yaml: api\.port is 65533: a port from 1 to 65532 is wanted/,
  );
});
