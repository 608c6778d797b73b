import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { memoryDatabase } from '../../test/contract/memory-database.ts';
import { FakeApiServer } from '../../test/kubernetes-fake/fake-api-server.ts';
import { defaultSettings } from '../config/settings.ts';
import { systemClock } from '../telemetry/clock.ts';
import { randomIds } from '../telemetry/ids.ts';
import { kubernetesAdapters } from './kubernetes-adapters.ts';

/** The adapters on a server that the test answers for; nothing was asked of it. */
async function setUp() {
  const stack = new AsyncDisposableStack();
  const fake = stack.use(await FakeApiServer.start());
  const folder = await mkdtemp(join(tmpdir(), 'zun-adapters-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, 'config');
  await writeFile(kubeconfig, fake.config().exportConfig());
  const database = await memoryDatabase();
  stack.defer(() => database.close());
  const { kubernetes, ...settings } = defaultSettings('node-1');
  const adapters = await kubernetesAdapters({
    settings: { ...settings, kubernetes: { ...kubernetes, kubeconfig } },
    database,
    clock: systemClock,
    ids: randomIds,
    node: null,
  });
  stack.defer(() => adapters.close());
  return { fake, check: () => adapters.checkEngine(new AbortController().signal), [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('the adapters ask nothing of the cluster until somebody asks them', async () => {
  await using bench = await setUp();
  assert.deepEqual(bench.fake.asked, []);
});

test('the check of the cluster says in words what an operator can act on', async () => {
  await using bench = await setUp();
  bench.fake.answer = (asked) => asked.json(200, {});
  await bench.check();
  bench.fake.answer = (asked) => asked.refuse(401, 'Unauthorized', 'Unauthorized');
  await assert.rejects(bench.check(), /^RuntimeFault: Kubernetes does not accept this service's credentials: Unauthorized$/);
  bench.fake.answer = (asked) => asked.refuse(500, 'InternalError', 'etcd is not healthy');
  await assert.rejects(bench.check(), /etcd is not healthy/);
  bench.fake.answer = (asked) => asked.response.destroy();
  await assert.rejects(bench.check(), /^RuntimeFault: The Kubernetes API server cannot be reached: /);
});
