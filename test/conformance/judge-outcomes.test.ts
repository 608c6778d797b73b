import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AcceptedDifference, AcceptedRecord } from './accepted-differences.ts';
import { judgeOutcomes } from './judge-outcomes.ts';
import type { Outcome } from './outcome.ts';

const outcome = (id: string, changes: Partial<Outcome> = {}): Outcome => ({
  kind: 'probe',
  id,
  title: 'GET /',
  status: 200,
  differences: [],
  recordedDefect: false,
  properRefusal: false,
  ...changes,
});
const differing = (place: string) => [{ place, expected: 1, actual: 2 }];
const list = (records: Record<string, AcceptedRecord>): AcceptedDifference[] => [{ kind: 'node', what: 'w', why: 'y', records }];

describe('the strict judgement', () => {
  test('passes over what is as recorded and what differs as listed, whole families included', () => {
    const outcomes = [
      outcome('a'),
      outcome('b', { differences: differing('body/host') }),
      outcome('pci/3', { kind: 'vector', status: null, differences: differing('function') }),
    ];
    const accepted = list({ 'probe:b': { status: 200, at: ['body/host'] }, 'vector:pci/*': { at: ['function'] } });
    const verdict = judgeOutcomes(outcomes, accepted, true);
    assert.deepEqual([verdict.unlisted, verdict.stale], [[], []]);
    assert.deepEqual(verdict.counts.probe, { met: 1, total: 2 });
  });

  test('names what differs and is not listed, or differs at another place or with another status than listed', () => {
    const outcomes = ['a', 'b', 'c'].map((id) => outcome(id, { differences: differing('body') }));
    const accepted = list({ 'probe:b': { status: 200, at: ['body/x'] }, 'probe:c': { status: 404 } });
    const verdict = judgeOutcomes(outcomes, accepted, true);
    assert.deepEqual(
      verdict.unlisted.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(verdict.stale, []);
  });

  test('names listed records that no longer differ, and those that no record has', () => {
    const accepted = list({ 'probe:a': {}, 'probe:gone': {} });
    assert.deepEqual(judgeOutcomes([outcome('a')], accepted, true).stale, ['probe:a', 'probe:gone']);
    assert.deepEqual(judgeOutcomes([outcome('a')], accepted, false).stale, ['probe:a']);
  });

  test('wants a defect listed that is answered properly, but not of records from elsewhere', () => {
    const outcomes = [outcome('a', { differences: differing('status'), recordedDefect: true, properRefusal: true })];
    assert.equal(judgeOutcomes(outcomes, [], true).unlisted.length, 1);
    assert.equal(judgeOutcomes(outcomes, [], false).unlisted.length, 0);
    assert.equal(judgeOutcomes(outcomes, [], false).counts.probe.met, 1);
  });
});
