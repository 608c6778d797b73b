import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantedBugs } from './planted-bugs.ts';
import { plantedHostBugs } from './planted-host-bugs.ts';
import { runSimulation } from './simulation.ts';

/** So many seeds a planted bug gets to show itself; they do in the first few. */
const patience = 40;

for (const { name, plant, finds, skewSeconds } of [...plantedBugs, ...plantedHostBugs])
  test(`it finds ${name}`, async () => {
    const found: string[] = [];
    for (let seed = 1; seed <= patience; seed += 1) {
      const { violations } = await runSimulation({ seed, plant, ...(skewSeconds === undefined ? {} : { skewSeconds }) });
      if (violations.some((violation) => finds.test(violation))) return;
      found.push(`${seed}: ${violations.join('; ') || 'nothing'}`);
    }
    assert.fail(found.join('\n'));
  });
