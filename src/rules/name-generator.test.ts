import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadVectors } from '../../test/contract/vectors.ts';
import { generateContainerName } from './name-generator.ts';

interface Recorded {
  letters: string[];
  number_min: number;
  number_max: number;
  container_pattern: string;
}

test('a generated name is a Greek letter, a number from 1 to 24, and "container"', () => {
  const recorded = loadVectors<null, Recorded>('name_generator').cases[0]?.out;
  assert.ok(recorded);
  const names = new Set<string>();
  for (let letter = 0; letter < recorded.letters.length; letter += 1) {
    for (let number = 0; number < recorded.number_max; number += 1) {
      // The first draw is the letter, the second the number.
      const draws = [letter, number];
      names.add(generateContainerName({ uuid: () => '', requestId: () => '', below: () => draws.shift() ?? 0 }));
    }
  }
  assert.equal(names.size, recorded.letters.length * recorded.number_max);
  for (const name of names) {
    assert.match(name, new RegExp(recorded.container_pattern));
  }
});
