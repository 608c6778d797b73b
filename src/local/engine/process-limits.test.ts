import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processLimits } from './process-limits.ts';

const text = `Limit                     Soft Limit           Hard Limit           Units
Max processes             96364                96364                processes
Max open files            1024                 20000                files
`;

test('hard limits are read, processes no higher than the kernel has PIDs', () => {
  assert.deepEqual(processLimits(text, '32768\n'), { openFiles: 20000, processes: 32768 });
  assert.deepEqual(processLimits(text, '4194304\n'), { openFiles: 20000, processes: 96364 });
});

test('unlimited, and what cannot be read, is null', () => {
  assert.deepEqual(processLimits(text.replaceAll('96364', 'unlimited'), ''), { openFiles: 20000, processes: null });
  assert.deepEqual(processLimits('', ''), { openFiles: null, processes: null });
});
