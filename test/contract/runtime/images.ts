import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCommitted } from './commits.ts';
import type { FixtureSource } from './runtime-fixture.ts';
import { refused, withStarted } from './workload.ts';

/** The store of images. */
export function imageTests(fixture: FixtureSource): void {
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

const blindStore = 'the store of the fixture cannot tell what nodes hold';
