import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { FixtureSource, RuntimeFixture } from './runtime-fixture.ts';
import { shell, stubborn, writesFile } from './scripts.ts';
import { withStarted } from './workload.ts';

/** Images of workloads' filesystems. */
export function commitTests(fixture: FixtureSource): void {
  test('commit makes an image whose workloads see the committed files', async () => {
    const { runtime, images, knowsImages = true } = fixture();
    await withCommitted(fixture(), async (reference, imageId) => {
      if (knowsImages) assert.equal((await images.find(reference))?.id, imageId);
      assert.match(imageId, /^sha256:[0-9a-f]{64}$/);
      await withStarted(fixture(), { image: reference, command: stubborn }, async ({ uuid }) => {
        assert.equal((await runtime.exec(uuid, shell('cat /committed'), 10_000)).output.toString(), 'yes\n');
      });
    });
  });

  test('commit of a running workload leaves it running', async () => {
    const { runtime, images, knowsImages = true } = fixture();
    const repository = `zun-contract-${randomUUID()}`;
    await withStarted(fixture(), {}, async (workload) => {
      await runtime.commit(workload.uuid, repository, 'v1');
      await workload.until('running');
      if (knowsImages) await images.remove(`${repository}:v1`);
    });
  });
}

/** Commits a workload that holds `/committed`, and removes the image at the end. */
export async function withCommitted(fixture: RuntimeFixture, body: (reference: string, imageId: string) => Promise<void>): Promise<void> {
  const repository = `zun-contract-${randomUUID()}`;
  await withStarted(fixture, { command: writesFile('/committed', 'yes') }, async (workload) => {
    await workload.until('exited');
    const { imageId } = await fixture.runtime.commit(workload.uuid, repository, 'v1');
    try {
      await body(`${repository}:v1`, imageId);
    } finally {
      if (fixture.knowsImages !== false) await fixture.images.remove(`${repository}:v1`);
    }
  });
}
