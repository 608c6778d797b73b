import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endedAndUnwanted } from './ended-and-unwanted.ts';

test('only what asked for it is removed, and only once it has ended', () => {
  const answer = (autoRemove: string | undefined, phase: string) =>
    endedAndUnwanted({
      metadata: { annotations: autoRemove === undefined ? {} : { 'zun.openstack.org/auto-remove': autoRemove } },
      status: { phase },
    });
  assert.deepEqual(
    ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'].map((phase) => answer('true', phase)),
    [false, false, true, true, false],
  );
  assert.equal(answer(undefined, 'Failed'), false);
});
