import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { acceptedOn, complaints, readAcceptedSteps } from './accepted-steps.ts';
import type { EngineName } from './recorded-world.ts';
import { readRecordings } from './recording.ts';
import { replayRecordings } from './replay-recordings.ts';
import type { StepOutcome } from './replay-scenario.ts';

/**
 * The recordings of the original on `standalone` with one engine: each step is answered the same, or differs as
 * `contract/recording-differences.yaml` says. `RECORDINGS_OUTCOMES` names a file for what was seen.
 */
export function recordingsOn(engine: EngineName): void {
  const scenarios = readRecordings('contract/recordings/original.jsonl');
  const accepted = acceptedOn(engine, readAcceptedSteps('contract/recording-differences.yaml'));
  describe(`recordings on ${engine}`, () => {
    let outcomes = new Map<string, StepOutcome[]>();
    before(async () => {
      outcomes = await replayRecordings(engine, scenarios);
      const file = process.env.RECORDINGS_OUTCOMES;
      if (file) writeFileSync(file, JSON.stringify([...outcomes.values()].flat(), null, 1));
    });

    for (const { name, steps } of scenarios) {
      test(`${name}, ${steps.length} steps`, (t) => {
        const seen = outcomes.get(name) ?? [];
        const same = seen.filter(({ differences }) => differences.length === 0).length;
        t.diagnostic(`${same} of ${steps.length} steps are the same`);
        const wrong = complaints(seen, accepted);
        assert.equal(wrong.length, 0, wrong.join('\n'));
      });
    }

    test('every listed step is one of a recording', () => {
      const known = new Set(scenarios.flatMap(({ name, steps }) => steps.map(({ step }) => `${name}/${step}`)));
      assert.deepEqual(
        [...accepted.keys()].filter((step) => !known.has(step)),
        [],
      );
    });
  });
}
