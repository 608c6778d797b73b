import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench } from '../../../../test/bench/container-bench.ts';

test('figures come under the names that clients print', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const { status, json } = await bench.on(uuid, 'GET', 'stats');
  assert.equal(status, 200);
  assert.deepEqual(json, {
    CONTAINER: 'web',
    'CPU %': 0,
    'MEM USAGE(MiB)': 1,
    'MEM LIMIT(MiB)': 64,
    'MEM %': 1.5625,
    'BLOCK I/O(B)': '0/0',
    'NET I/O(B)': '0/0',
  });
});
