import * as fc from 'fast-check';
import type { PolicyContext } from '../../../src/policy/policy-context.ts';

/** Rules by name, who asks, and for what. */
export interface PolicyQuestion {
  rules: Record<string, string>;
  context: PolicyContext;
  target: Record<string, unknown>;
}

const names = ['first', 'second', 'third', 'default'];

const words = fc.constantFrom('a', 'A', 'b', 'p', 'q', 'u', 'True', 'False', 'None', '1', '1.0', 'admin', 'member');
const templates = fc.oneof(
  words,
  fc.constantFrom(
    '%(project_id)s',
    '%(user_id)s',
    '%(role)s',
    '%(gone)s',
    '%(none)s',
    '%(one)s',
    '%(yes)s',
    'x%(role)s',
    '%(role)s%(one)s',
  ),
);
const keys = fc.constantFrom(
  'role',
  'is_admin',
  'project_id',
  'user_id',
  'domain_id',
  'roles',
  'True',
  'None',
  '1',
  "'a'",
  '"a"',
  'no.such',
  'is_admin_project',
);

/** One check; `rule:` names a later rule, so that none leads in a circle, or one that there is not, which means `default`. */
const check = (index: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.tuple(keys, templates).map(([key, template]) => `${key}:${template}`) },
    {
      weight: 3,
      arbitrary:
        index + 1 < names.length ? fc.constantFrom(...names.slice(index + 1), 'gone').map((name) => `rule:${name}`) : fc.constant('@'),
    },
    { weight: 2, arbitrary: fc.constantFrom('@', '!', '', 'admin', 'role:', 'not', 'and', '()') },
  );

const keyword = (word: string) => fc.constantFrom(word, word.toUpperCase(), `${word[0]?.toUpperCase()}${word.slice(1)}`);

function expression(index: number): fc.Arbitrary<string> {
  return fc.letrec<{ whole: string }>((tie) => ({
    whole: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      check(index),
      fc.tuple(keyword('not'), tie('whole')).map(([not, inner]) => `${not} ${inner}`),
      tie('whole').map((inner) => `(${inner})`),
      tie('whole').map((inner) => `( ${inner} )`),
      fc.tuple(tie('whole'), fc.oneof(keyword('and'), keyword('or')), tie('whole')).map((parts) => parts.join(' ')),
    ),
  })).whole;
}

/** The rule as it is, or without one of its words or parentheses (but for those of a template: other uses of `%` deny here). */
const rule = (index: number): fc.Arbitrary<string> =>
  fc.tuple(expression(index), fc.option(fc.nat(), { freq: 5 })).map(([text, cut]) => {
    if (cut === null) return text;
    const parts = text.match(/(?:%\([^)]*\)s|[^\s()])+|[()]|\s/g) ?? [];
    const cuttable = parts.flatMap((part, index) => (part === ' ' ? [] : index));
    return parts.filter((_, part) => part !== cuttable[cut % cuttable.length]).join('');
  });

const context: fc.Arbitrary<PolicyContext> = fc.record({
  userId: fc.constantFrom('u', 'a', null),
  projectId: fc.constantFrom('p', 'q', null),
  roles: fc.uniqueArray(fc.constantFrom('a', 'A', 'b', 'member', 'Admin'), { maxLength: 3 }),
  isAdmin: fc.boolean(),
});

const target = fc.record(
  {
    project_id: fc.constantFrom<unknown>('p', 'q', null),
    user_id: fc.constantFrom<unknown>('u', 'a', null),
    role: fc.constantFrom<unknown>('a', 'b', 'member'),
    none: fc.constant<unknown>(null),
    one: fc.constantFrom<unknown>(1, '1', 'a'),
    yes: fc.boolean() as fc.Arbitrary<unknown>,
  },
  { requiredKeys: [] },
);

/** Four rules that may name each other, well formed mostly, and a request. */
export const policyQuestions: fc.Arbitrary<PolicyQuestion> = fc.record({
  rules: fc
    .tuple(...names.map((_, index) => rule(index)))
    .map((texts) => Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']))),
  context,
  target,
});
