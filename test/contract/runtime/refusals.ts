import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FixtureSource } from './runtime-fixture.ts';
import { refused, withStarted } from './workload.ts';

/** What a runtime says that it cannot do, it refuses in the same words, and the workload goes on. */
export function refusalTests(fixture: FixtureSource): void {
  test('pause, unpause and commit are said to be refused, and are', async () => {
    const { runtime } = fixture();
    assert.ok(runtime.refuses?.pause && runtime.refuses.unpause && runtime.refuses.commit);
    await withStarted(fixture(), {}, async (workload) => {
      await workload.until('running');
      await assert.rejects(runtime.pause(workload.uuid), { message: runtime.refuses?.pause ?? '' });
      await refused(runtime.unpause(workload.uuid), 'conflict', 'unsupported');
      await assert.rejects(runtime.commit(workload.uuid, 'refused', 'v1'), { message: runtime.refuses?.commit ?? '' });
      await workload.until('running');
    });
  });
}
