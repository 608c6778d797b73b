import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOnlyMounts } from './read-only-mounts.ts';

test('an overlay’s upper folder becomes the first of its lower ones', () => {
  const options = ['index=off', 'workdir=/s/3/work', 'upperdir=/s/3/fs', 'lowerdir=/s/2/fs:/s/1/fs', 'volatile'];
  assert.deepEqual(readOnlyMounts([{ type: 'overlay', source: 'overlay', options }]), [
    { type: 'overlay', source: 'overlay', options: ['index=off', 'lowerdir=/s/3/fs:/s/2/fs:/s/1/fs'] },
  ]);
});

test('a view is read-only already', () => {
  const view = { type: 'overlay', source: 'overlay', options: ['index=off', 'lowerdir=/s/2/fs:/s/1/fs'] };
  assert.deepEqual(readOnlyMounts([view]), [view]);
});

test('what is mounted otherwise is mounted read-only', () => {
  const bind = { type: 'bind', source: '/s/1/fs', options: ['rw', 'rbind'] };
  const disk = { type: 'ext4', source: '/dev/mapper/x', options: [] };
  assert.deepEqual(
    readOnlyMounts([bind, disk]).map(({ options }) => options),
    [['rbind', 'ro'], ['ro']],
  );
});
