import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { Fernet } from '../../../src/crypto/fernet.ts';
import { ZunError } from '../../../src/errors/zun-error.ts';
import { policyCredentials } from '../../../src/policy/policy-context.ts';
import { PolicyEnforcer } from '../../../src/policy/policy-enforcer.ts';
import { parseImageReference } from '../../../src/rules/image-reference.ts';
import { imageNames } from './generated-image-names.ts';
import { policyQuestions } from './generated-rules.ts';
import { type PythonOracle, pythonOracle } from './python-oracle.ts';

const seed = 18;

describe('what the original’s libraries say of generated input is said here too', () => {
  let oracle: PythonOracle;
  before(async () => {
    oracle = await pythonOracle();
  });

  test('policies: every rule decides as oslo.policy does', async () => {
    const questions = fc.sample(policyQuestions, { numRuns: 4000, seed });
    const asked = questions.map(({ rules, context, target }) => ({ rules, credentials: policyCredentials(context), target }));
    const { policies } = await oracle<{ policies: Record<string, boolean | string>[] }>({ policies: asked });
    const [passed, denied] = [new Set<string>(), new Set<string>()];
    for (const [index, { rules, context, target }] of questions.entries()) {
      const enforcer = new PolicyEnforcer(rules);
      const decided = Object.fromEntries(Object.keys(rules).map((name) => [name, enforcer.allows(context, name, target)]));
      // What raises an error there, and so answers 500, denies here.
      const wanted = Object.fromEntries(Object.entries(policies[index] ?? {}).map(([name, passes]) => [name, passes === true]));
      assert.deepEqual(decided, wanted, JSON.stringify(questions[index]));
      for (const [name, passes] of Object.entries(decided)) (passes ? passed : denied).add(rules[name] ?? '');
    }
    assert.ok(passed.size > 1000 && denied.size > 1000, `${passed.size} rules passed, ${denied.size} denied`);
  });

  test('Fernet: either side reads what the other wrote', async () => {
    const secrets = fc.sample(
      fc.tuple(
        fc.string({ unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)), minLength: 32, maxLength: 44 }),
        fc.string({ unit: 'binary' }),
      ),
      { numRuns: 500, seed },
    );
    const now = Date.parse('2026-06-01T00:00:00Z');
    const tokens = secrets.map(([key, text]) => [key, new Fernet(key).encrypt(text, now)]);
    const answers = await oracle<{ decrypt: string[]; encrypt: string[] }>({ decrypt: tokens, encrypt: secrets });
    assert.deepEqual(
      answers.decrypt,
      secrets.map(([, text]) => text),
    );
    for (const [index, [key, text]] of secrets.entries()) assert.equal(new Fernet(key).decrypt(answers.encrypt[index] ?? ''), text);
  });

  test('image names: the same are names, of the same parts; the others are refused with the same error', async () => {
    const names = [...new Set(fc.sample(imageNames, { numRuns: 5000, seed }))];
    const { references } = await oracle<{ references: { error?: string }[] }>({ references: names });
    let [good, tooSlow] = [0, 0];
    for (const [index, name] of names.entries()) {
      const parsed = parsedHere(name);
      if (references[index]?.error === 'TimeoutError') tooSlow += 1;
      else assert.deepEqual(parsed, references[index], JSON.stringify(name));
      if (!('error' in parsed)) good += 1;
    }
    assert.ok(tooSlow < 50, `${tooSlow} names took the original too long`);
    assert.ok(good > 500 && names.length - good > 1000, `${good} of ${names.length} are names`);
  });
});

function parsedHere(name: string): object {
  try {
    return parseImageReference(name);
  } catch (error) {
    if (error instanceof ZunError) return { error: error.name };
    throw error;
  }
}
