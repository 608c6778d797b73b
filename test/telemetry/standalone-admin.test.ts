import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readEnvironment } from '../../src/config/environment.ts';
import { startStandalone } from '../../src/programs/start-standalone.ts';
import { freePorts } from '../system/engine/free-ports.ts';

/** `standalone` in this process with nothing real behind it. */
async function start(t: TestContext, port: number): Promise<string[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'zun-admin-'));
  t.after(() => rm(dataFolder, { recursive: true, force: true }));
  const said: string[] = [];
  const environment = readEnvironment({ ZUN_DATA: dataFolder, ZUN_PORT: String(port), ZUN_ENGINE: 'memory', ZUN_LOG: 'silent' });
  const running = await startStandalone({ environment, hostname: 'node', progress: (line) => said.push(line) });
  t.after(() => running.stop());
  return said;
}

test('standalone serves health and metrics on the third port after its API', async (t) => {
  const port = await freePorts(4);
  await start(t, port);
  const get = (path: string) => fetch(`http://127.0.0.1:${port + 3}${path}`);
  assert.equal((await get('/healthz')).status, 200);
  const ready = await get('/readyz');
  assert.equal(ready.status, 200);
  const { dependencies } = (await ready.json()) as { dependencies: object };
  assert.deepEqual(Object.keys(dependencies), ['database', 'engine', 'identity']);
  assert.equal((await fetch(`http://127.0.0.1:${port}/v1/containers`)).status, 401);
  const metrics = await (await get('/metrics')).text();
  assert.match(metrics, /^zun_http_requests_total\{method="GET",route="none",status="401"\} 1$/m);
  assert.match(metrics, /^zun_task_looks_total\{found="nothing"\} \d+$/m);
  assert.match(metrics, /^process_resident_memory_bytes \d+$/m);
});

test('standalone starts without health and metrics when their port is taken, and says so', async (t) => {
  const port = await freePorts(4);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port + 3, '127.0.0.1', resolve));
  t.after(() => other.close());
  const said = await start(t, port);
  assert.match(said.join('\n'), new RegExp(`port ${port + 3} \\(health and metrics\\) is in use`));
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
});
