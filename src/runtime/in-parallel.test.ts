import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParallel } from './in-parallel.ts';

test('so many are worked on at a time, and the answers are in the order of what was asked', async () => {
  let [running, most] = [0, 0];
  const answers = await inParallel([5, 1, 4, 2, 3], 2, async (turns) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return turns * 10;
  });
  assert.deepEqual([answers, most], [[50, 10, 40, 20, 30], 2]);
});

test('after the first failure no more are begun', async () => {
  const begun: number[] = [];
  const work = async (one: number) => {
    begun.push(one);
    if (one === 2) throw new Error('two');
    await new Promise((resolve) => setImmediate(resolve));
  };
  await assert.rejects(inParallel([1, 2, 3, 4], 2, work), /two/);
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(begun, [1, 2]);
});
