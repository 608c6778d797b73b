import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImagePull } from '../../../src/runtime/container-runtime.ts';
import type { FixtureSource } from './runtime-fixture.ts';
import { withCreated } from './workload.ts';

/** Images that come with the start, where the runtime brings them so. */
export function startBringsImageTests(fixture: FixtureSource): void {
  for (const policy of ['ifnotpresent', 'always'] as const) {
    test(`with the policy ${policy} a start brings the image from its registry`, async (t) => {
      const { runtime, pullable } = fixture();
      if (!pullable) return t.skip('the fixture has no registry');
      const image = `${pullable.repository}:${pullable.tag}`;
      const imagePull: ImagePull = { policy, credentials: null };
      await withCreated(fixture(), { image, imagePull }, async (workload) => {
        await runtime.start(workload.uuid);
        await workload.until('running');
        assert.equal((await workload.inspect()).image, image);
      });
    });
  }
}
