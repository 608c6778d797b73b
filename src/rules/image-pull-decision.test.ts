import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { imagePullPolicy, shouldPullImage } from './image-pull-decision.ts';

test('the pull policy is "always" unless one is asked for', () => {
  assert.equal(
    replayVectors('image_pull_policy', ({ policy }: { policy: string | null }) => imagePullPolicy(policy)),
    12,
  );
});

test('policy and presence decide whether to pull', () => {
  const call = ({ policy, present }: { policy: string | null; present: boolean }) => shouldPullImage(policy, present);
  assert.equal(replayVectors('should_pull_image', call), 12);
});
