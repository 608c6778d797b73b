import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compilePolicyCheck, type PolicyValues } from './compile-policy-check.ts';
import { type PolicyRuleSource, parsePolicyRule } from './parse-policy-rule.ts';
import type { PolicyCheck } from './policy-check.ts';

function decide(source: PolicyRuleSource, credentials: PolicyValues = {}, target: PolicyValues = {}): boolean | null {
  const check = parsePolicyRule(source);
  return check && compilePolicyCheck(check, () => undefined)(credentials, target);
}

describe('the policy language', () => {
  test('allows with the empty rule and "@", denies with "!"', () => {
    assert.deepEqual([decide(''), decide('@'), decide('!'), decide([])], [true, true, false, true]);
  });

  test('binds "not" closer than "and", "and" closer than "or", whatever their case', () => {
    assert.equal(decide('@ or @ AND !'), true);
    assert.equal(decide('(@ or @) and !'), false);
    assert.equal(decide('not ! and !'), false);
    assert.equal(decide('Not (! and !)'), true);
    assert.equal(decide('not not @'), true);
    assert.equal(decide('((@))and@'), null);
  });

  test('can’t read a rule with a check whose kind is no expression to Python: below a "not" a denial would allow', () => {
    for (const kind of ["b'", '1a', 'class', 'a b', '', 'a..b', '[']) assert.equal(decide(`not (${kind}:x)`), null, kind);
    for (const kind of ['project_id', 'a.b', 'a-b', 'a[0]', 'domaine_é']) assert.equal(decide(`not ${kind}:x`), true, kind);
  });

  test('compares roles without case and fills them from the target', () => {
    assert.equal(decide('role:Admin', { roles: ['member', 'aDMIN'] }), true);
    assert.equal(decide('role:%(wanted)s', { roles: ['a'] }, { wanted: 'A' }), true);
    assert.equal(decide('role:%(wanted)s', { roles: ['a'] }), false);
    assert.equal(decide('role:a'), false);
  });

  test("compares the caller's values with the target's as Python prints them", () => {
    assert.equal(decide('is_admin:True', { is_admin: true }), true);
    assert.equal(decide('is_admin:True', { is_admin: 'true' }), false);
    assert.equal(decide('project_id:%(project_id)s', { project_id: null }, { project_id: null }), true);
    assert.equal(decide('project_id:%(project_id)s', { project_id: 'p' }, {}), false);
    assert.equal(decide('project_id:p', {}), false);
    assert.equal(decide('n:100%%', { n: '100%' }), true);
    assert.equal(decide('a.b.c:x', { a: { b: [{ c: 'y' }, { c: 'x' }] } }), true);
    assert.equal(decide('roles:x', { roles: ['w', 'x'] }), true);
    assert.equal(decide('a.b:x', { a: 'ab' }), false);
  });

  test("compares constants with the target's values", () => {
    assert.equal(decide('True:%(user.enabled)s', {}, { 'user.enabled': true }), true);
    assert.equal(decide("'Member':%(role.name)s", {}, { 'role.name': 'Member' }), true);
    assert.equal(decide('"it":%(x)s', {}, { x: 'that' }), false);
    assert.equal(decide('1.50:%(x)s', {}, { x: '1.5' }), true);
    assert.equal(decide('None:%(x)s', {}, { x: null }), true);
  });

  test('reads the older lists: "or" outside, "and" inside', () => {
    assert.equal(decide([['role:a', 'role:b'], 'role:c'], { roles: ['a', 'b'] }), true);
    assert.equal(decide([['role:a', 'role:b'], 'role:c'], { roles: ['a'] }), false);
    assert.equal(decide([['role:a', 'role:b'], 'role:c'], { roles: ['c'] }), true);
    assert.equal(decide([[]]), false);
  });

  test('reads no rule in half a sentence, in bare strings, or in words side by side', () => {
    for (const source of ['@ or', 'and @', '@ @', '(@', '@)', '()', 'not', '"a"', "'a' or @", '@ or "a"', ' ']) {
      assert.equal(parsePolicyRule(source), null, source);
    }
  });

  test('denies a word without a kind', () => {
    assert.equal(decide('admin'), false);
    assert.equal(decide('not admin'), true);
  });

  test('reads no rule with a check it could not decide, so that a "not" before it allows nobody', () => {
    for (const source of ['http://policy.example/check', 'a:%(b)d', 'a:50%', ':x']) {
      assert.equal(parsePolicyRule(`not ${source}`), null, source);
      assert.equal(parsePolicyRule([['role:a', source]]), null, source);
    }
  });

  test('any expression, printed with more or fewer parentheses and spaces, decides as its parts do', () => {
    type Expression = boolean | { not: Expression } | { and: Expression[] } | { or: Expression[] };
    const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.boolean(),
        fc.record({ not: tie('expression') }),
        fc.record({ and: fc.array(tie('expression'), { minLength: 2, maxLength: 3 }) }),
        fc.record({ or: fc.array(tie('expression'), { minLength: 2, maxLength: 3 }) }),
      ),
    }));
    const value = (of: Expression): boolean => {
      if (typeof of === 'boolean') return of;
      if ('not' in of) return !value(of.not);
      return 'and' in of ? of.and.every(value) : of.or.some(value);
    };
    const print = (of: Expression, binds: number, extra: boolean): string => {
      if (typeof of === 'boolean') return of ? 'role:yes' : 'role:no';
      const [text, strength] =
        'not' in of
          ? [`not ${print(of.not, 3, extra)}`, 3]
          : 'and' in of
            ? [of.and.map((each) => print(each, 2, extra)).join(' and '), 2]
            : [of.or.map((each) => print(each, 1, extra)).join('  OR '), 1];
      return strength < binds || extra ? `(${text})` : text;
    };
    fc.assert(
      fc.property(expression, fc.boolean(), (of, extra) => {
        assert.equal(decide(print(of, 0, extra), { roles: ['yes'] }), value(of));
      }),
    );
  });

  test('any text is read without an exception, and never allows by accident of being broken', () => {
    const words = fc.constantFrom('and', 'or', 'not', '(', ')', '!', 'role:x', '"s"', 'a.b:%(c)s', "'", ':', '%');
    fc.assert(
      fc.property(fc.array(words, { minLength: 1 }), fc.constantFrom(' ', ''), (list, glue) => {
        const check: PolicyCheck | null = parsePolicyRule(list.join(glue));
        assert.ok(check === null || typeof compilePolicyCheck(check, () => undefined)({}, {}) === 'boolean');
      }),
    );
  });
});
