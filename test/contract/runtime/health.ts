import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import type { FixtureSource } from './runtime-fixture.ts';
import { shell } from './scripts.ts';
import { withStarted } from './workload.ts';

const healthcheck = { command: '[ -f /well ]', intervalSeconds: 1, timeoutSeconds: 5, retries: 2 };

/** Health is seen in the state. The poll probes, for engines that do not by themselves. */
export function healthTests(fixture: FixtureSource): void {
  test('before its first check it is starting', async () => {
    await withStarted(fixture(), { healthcheck: { ...healthcheck, intervalSeconds: 3600 } }, async (workload) => {
      assert.equal((await workload.state()).health, 'starting');
    });
  });

  test('a failing check makes it unhealthy, a passing one healthy', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), { healthcheck }, async (workload) => {
      const probe = async () => {
        await runtime.probeHealth(workload.uuid);
        return (await workload.state()).health;
      };
      await eventually('unhealthy', probe, (health) => health === 'unhealthy');
      await runtime.exec(workload.uuid, shell('echo > /well'), 10_000);
      await eventually('healthy', probe, (health) => health === 'healthy');
      assert.equal((await workload.state()).status, 'running');
    });
  });

  test('a probe of what has no check, or does not run, does no harm', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), {}, async (workload) => {
      await runtime.probeHealth(workload.uuid);
      assert.equal((await workload.state()).health, null);
      await runtime.kill(workload.uuid, 'SIGKILL');
      await workload.until('exited');
      await runtime.probeHealth(workload.uuid);
    });
  });
}
