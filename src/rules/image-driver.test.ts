import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { requireImageDriver } from './image-driver.ts';

test('only configured image drivers pass', () => {
  const call = (driver: string | null) => requireImageDriver(driver, ['glance', 'docker']) ?? null;
  assert.equal(replayVectors('validate_image_driver', call), 6);
});
