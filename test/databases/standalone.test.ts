import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEnvironment } from '../../src/config/environment.ts';
import { DemoClient } from '../../src/programs/demo-client.ts';
import { startStandalone } from '../../src/programs/start-standalone.ts';
import { freePorts } from '../system/engine/free-ports.ts';
import { onEachServer } from './on-each-database.ts';
import { createDatabase, type DatabaseSource, dropDatabase } from './test-database.ts';

function standaloneSuite(source: DatabaseSource): void {
  test('standalone keeps everything on the server that ZUN_DATABASE names, and finds it again', async () => {
    const { server } = source;
    assert.ok(server);
    const name = await createDatabase(server);
    const dataFolder = await mkdtemp(join(tmpdir(), 'zun-database-'));
    const { user, password, host, port } = server.address(name);
    const scheme = server.kind === 'mariadb' ? 'mysql+pymysql' : 'postgresql';
    const environment = {
      ...readEnvironment({ ZUN_ENGINE: 'memory', ZUN_LOG: 'silent' }),
      dataFolder,
      port: await freePorts(4),
      databaseUrl: `${scheme}://${user}:${password}@${host}:${port}/${name}`,
    };
    const start = () => startStandalone({ environment, hostname: 'node', progress: () => {} });
    try {
      const first = await start();
      const client = await DemoClient.login(first.cloudsFile, 'zun');
      const body = { name: 'kept', image: 'busybox', command: ['sleep', 'infinity'], cpu: 0.1, memory: '16' };
      const created = await client.request('POST', '/v1/containers?run=true', body);
      const path = `/v1/containers/${created.uuid}`;
      await client.until(path, ({ status }) => status === 'Running');
      await client.request('POST', `${path}/kill`, {});
      await client.until(path, ({ status }) => status === 'Stopped');
      await first.stop();

      const second = await start();
      const again = await DemoClient.login(second.cloudsFile, 'zun');
      assert.equal((await again.request('GET', path)).uuid, created.uuid);
      await again.request('DELETE', path);
      await again.untilGone(path);
      await second.stop();
    } finally {
      await rm(dataFolder, { recursive: true, force: true });
      await dropDatabase(server, name);
    }
  });
}

onEachServer({ standalone: standaloneSuite });
