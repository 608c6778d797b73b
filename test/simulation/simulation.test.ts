import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSimulation } from './simulation.ts';

for (const seed of [1, 2, 3])
  test(`seed ${seed}: whatever fails, dies or is late, nothing is lost, doubled, leaked or stuck`, async () => {
    const { violations, trace } = await runSimulation({ seed });
    assert.deepEqual(violations, [], `npm run simulate -- --seed ${seed}\n${trace.slice(-40).join('\n')}`);
  });

test('the same seed is the same run, line for line; another is another', async () => {
  const short = { seconds: 60 };
  const first = await runSimulation({ seed: 7, ...short });
  assert.deepEqual((await runSimulation({ seed: 7, ...short })).trace, first.trace);
  assert.notDeepEqual((await runSimulation({ seed: 8, ...short })).trace, first.trace);
});
