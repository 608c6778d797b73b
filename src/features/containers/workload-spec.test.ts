import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench } from '../../../test/bench/container-bench.ts';
import { containerByUuid } from './container-store.ts';
import { workloadSpec } from './workload-spec.ts';

async function healthOf(healthcheck: Record<string, unknown>) {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ healthcheck }, { run: false });
  const container = await containerByUuid(bench.services.database.queries, uuid);
  assert.ok(container);
  return workloadSpec(container, { image: 'busybox', imagePull: null, mounts: [], networks: [] }).healthcheck;
}

test('the figures of a health check count as numbers and as text, which the schema lets through', async () => {
  const expected = { command: 'true', intervalSeconds: 2, timeoutSeconds: 3, retries: 4 };
  assert.deepEqual(await healthOf({ cmd: 'true', interval: 2, timeout: 3, retries: 4 }), expected);
  assert.deepEqual(await healthOf({ cmd: 'true', interval: '2', timeout: '3', retries: '4' }), expected);
  assert.deepEqual(await healthOf({ cmd: 'true', interval: null }), {
    command: 'true',
    intervalSeconds: null,
    timeoutSeconds: null,
    retries: null,
  });
});
