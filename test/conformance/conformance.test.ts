import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { readAcceptedDifferences, recordName } from './accepted-differences.ts';
import { conformanceDocument } from './conformance-document.ts';
import { judgeOutcomes, type Verdict } from './judge-outcomes.ts';
import type { Outcome } from './outcome.ts';
import { contractFolder, runConformance } from './run-conformance.ts';

describe('every record of the original', () => {
  let outcomes: Outcome[];
  let verdict: Verdict;
  const accepted = readAcceptedDifferences(join(contractFolder, 'differences.yaml'));
  before(async () => {
    outcomes = await runConformance(contractFolder);
    verdict = judgeOutcomes(outcomes, accepted, true);
  });

  test('is answered as recorded, or differs as contract/differences.yaml says', () => {
    assert.deepEqual(
      verdict.unlisted.map((outcome) => ({ record: recordName(outcome), differences: outcome.differences })),
      [],
    );
  });

  test('that is listed still differs', () => {
    assert.deepEqual(verdict.stale, []);
  });

  test('is counted in docs/CONFORMANCE.md as it is answered now (npm run conformance -- --write)', () => {
    const document = readFileSync(new URL('../../docs/CONFORMANCE.md', import.meta.url), 'utf8');
    assert.equal(document, conformanceDocument(verdict, accepted));
  });

  test('that is a defect of the original is answered properly: 4xx with a reason, or done', () => {
    const wrong = outcomes.filter(({ kind, recordedDefect, properRefusal }) => kind === 'probe' && recordedDefect && !properRefusal);
    assert.deepEqual(wrong.map(recordName), []);
  });
});
