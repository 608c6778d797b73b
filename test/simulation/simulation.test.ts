import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantedBugs } from './planted-bugs.ts';
import { runSimulation } from './simulation.ts';

/** So many seeds a planted bug gets to show itself. */
const patience = 12;

for (const seed of [1, 2, 3, 4, 5])
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

for (const { name, plant, finds, skewSeconds } of plantedBugs)
  test(`it finds ${name}`, async () => {
    const found: string[] = [];
    for (let seed = 1; seed <= patience; seed += 1) {
      const { violations } = await runSimulation({ seed, plant, ...(skewSeconds === undefined ? {} : { skewSeconds }) });
      if (violations.some((violation) => finds.test(violation))) return;
      found.push(`${seed}: ${violations.join('; ') || 'nothing'}`);
    }
    assert.fail(found.join('\n'));
  });
