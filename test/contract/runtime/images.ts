import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { FixtureSource, RuntimeFixture } from './runtime-fixture.ts';
import { shell, stubborn, writesFile } from './scripts.ts';
import { refused, withStarted } from './workload.ts';

/** Commit, and the store of images. */
export function imageTests(fixture: FixtureSource): void {
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

  test('the store answers null for an image that there is not', async () => {
    const { images, missing } = fixture();
    assert.equal(await images.find(`${missing.repository}:${missing.tag}`), null);
  });

  test('the store finds an image by reference and by id, and lists it', async (t) => {
    const { images, image, knowsImages } = fixture();
    if (knowsImages === false) return t.skip(blindStore);
    const found = await images.find(image);
    assert.ok(found && found.sizeBytes > 0);
    assert.equal((await images.find(found.id))?.id, found.id);
    assert.ok((await images.list()).some((stored) => stored.id === found.id));
  });

  test('a pull of what does not exist is not-found, with words', async () => {
    const { images, missing } = fixture();
    await refused(images.pull(missing.repository, missing.tag, null), 'not-found');
  });

  test('a pull stores the image, and may be repeated', async (t) => {
    const { images, pullable, knowsImages = true } = fixture();
    if (!pullable) return t.skip('the fixture has no registry');
    const first = await images.pull(pullable.repository, pullable.tag, null);
    assert.match(first.id, /^sha256:/);
    assert.equal((await images.pull(pullable.repository, pullable.tag, null)).id, first.id);
    if (knowsImages) assert.equal((await images.find(`${pullable.repository}:${pullable.tag}`))?.id, first.id);
  });

  test('an image in use is not removed; unused it is, and removing it again succeeds', async (t) => {
    const { images, knowsImages } = fixture();
    if (knowsImages === false) return t.skip(blindStore);
    await withCommitted(fixture(), async (reference) => {
      // Where the start brings the image, a workload that is only created does not hold it.
      await withStarted(fixture(), { image: reference }, async () => {
        await refused(images.remove(reference), 'conflict');
      });
      await images.remove(reference);
      assert.equal(await images.find(reference), null);
      await images.remove(reference);
    });
  });
}

/** Commits a workload that holds `/committed`, and removes the image at the end. */
async function withCommitted(fixture: RuntimeFixture, body: (reference: string, imageId: string) => Promise<void>): Promise<void> {
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

const blindStore = 'the store of the fixture cannot tell what nodes hold';
