import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import type { FixtureSource } from './runtime-fixture.ts';
import { refused, withCreated, withStarted } from './workload.ts';

const MIB = 1024 * 1024;

/** Process tables, figures and limits. */
export function processTests(fixture: FixtureSource): void {
  test('top shows the main process under its titles', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      const table = await fixture().runtime.top(uuid, null);
      assert.ok(table.Titles.includes('PID'), table.Titles.join());
      assert.equal(table.Processes.length, 1);
      const row = table.Processes[0] ?? [];
      assert.equal(row.length, table.Titles.length);
      assert.equal(row.at(-1), 'sleep 1000');
    });
  });

  test('top takes ps arguments', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      const table = await fixture().runtime.top(uuid, 'aux');
      assert.ok(table.Titles.includes('%CPU'), table.Titles.join());
      assert.match(table.Processes[0]?.at(-1) ?? '', /sleep 1000/);
    });
  });

  test('ps arguments that ps refuses are invalid', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await refused(fixture().runtime.top(uuid, '--no-such-option'), 'invalid');
    });
  });

  test('top and stats of what does not run are conflicts', async () => {
    await withCreated(fixture(), {}, async ({ uuid }) => {
      await refused(fixture().runtime.top(uuid, null), 'conflict');
      await refused(fixture().runtime.stats(uuid), 'conflict');
    });
  });

  test('stats are finite, not negative, and memory in use is below its limit', async () => {
    await withStarted(fixture(), { memoryMiB: 64 }, async ({ uuid }) => {
      const ask = () => fixture().runtime.stats(uuid);
      const stats = await eventually('memory in use', ask, (now) => now.memoryUsedBytes > 0);
      for (const [name, figure] of Object.entries(stats)) assert.ok(Number.isFinite(figure) && figure >= 0, `${name} is ${figure}`);
      assert.equal(stats.memoryLimitBytes, 64 * MIB);
      assert.ok(stats.memoryUsedBytes <= stats.memoryLimitBytes);
    });
  });

  test('update changes the limits it names, running or not', async () => {
    const { runtime } = fixture();
    await withCreated(fixture(), { cpu: 1, memoryMiB: 64 }, async ({ uuid }) => {
      await runtime.update(uuid, { memoryMiB: 80 });
      await runtime.start(uuid);
      assert.equal((await runtime.stats(uuid)).memoryLimitBytes, 80 * MIB);
      if (fixture().resizes === false) return refused(runtime.update(uuid, { memoryMiB: 96 }), 'failed', 'unsupported');
      await runtime.update(uuid, { cpu: 0.5, memoryMiB: 96 });
      await runtime.update(uuid, { cpu: 0.7 });
      assert.equal((await runtime.stats(uuid)).memoryLimitBytes, 96 * MIB);
    });
  });
}
