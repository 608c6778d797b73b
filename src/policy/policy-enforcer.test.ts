import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contractText, loadVectors } from '../../test/contract/vectors.ts';
import { defaultPolicies } from './default-policies.ts';
import type { PolicyContext } from './policy-context.ts';
import { PolicyEnforcer } from './policy-enforcer.ts';

const defaults = defaultPolicies(contractText('policies.json'));

function contextOf(enforcer: PolicyEnforcer, roles: string[]): PolicyContext {
  const caller = { userId: 'user', projectId: 'own', roles };
  return { ...caller, isAdmin: enforcer.isAdmin(caller) };
}

describe('the default policies', () => {
  const enforcer = new PolicyEnforcer(defaults);

  test('decide as the original for every rule, role and project', () => {
    const { cases } = loadVectors<{ rule: string; roles: string[]; own_project: boolean }, boolean>('policy_decisions');
    assert.equal(cases.length, 578);
    for (const { in: given, out } of cases) {
      const target = { project_id: given.own_project ? 'own' : 'other', user_id: 'user' };
      assert.equal(enforcer.allows(contextOf(enforcer, given.roles), given.rule, target), out, JSON.stringify(given));
    }
  });

  test('show each role the fields that the original shows', () => {
    const fieldRules: Record<string, string> = { container: 'container:get_one', capsule: 'capsule:get', registry: 'registry:get_one' };
    const roles: Record<string, string[]> = {
      none: [],
      reader: ['reader'],
      member: ['member', 'reader'],
      admin: ['admin', 'member', 'reader'],
    };
    const { cases, keys } = loadVectors<{ view: string; role: string }, string[], { keys: Record<string, string[]> }>('view_fields');
    for (const { in: given, out } of cases) {
      const context = contextOf(enforcer, roles[given.role] ?? []);
      const shown = keys[given.view]?.filter((field) =>
        enforcer.allows(context, `${fieldRules[given.view]}:${field}`, undefined, { mightNotExist: true }),
      );
      assert.deepEqual(shown, out, JSON.stringify(given));
    }
  });

  test('have nothing to warn of', () => {
    assert.deepEqual(enforcer.warnings, []);
  });
});

describe('a policy enforcer', () => {
  test('refuses with the name of the rule', () => {
    const enforcer = new PolicyEnforcer(defaults);
    assert.throws(() => enforcer.authorize(contextOf(enforcer, ['member']), 'host:get'), {
      name: 'PolicyNotAuthorized',
      status: 403,
      message: "Policy doesn't allow host:get to be performed.",
    });
    assert.doesNotThrow(() => enforcer.authorize(contextOf(enforcer, ['ADMIN']), 'host:get'));
  });

  test('lets overrides replace defaults and the rules they lean on', () => {
    const enforcer = new PolicyEnforcer(defaults, { context_is_admin: 'role:operator', 'host:get': '', extra: 'rule:context_is_admin' });
    const member = contextOf(enforcer, ['member']);
    assert.ok(enforcer.allows(member, 'host:get') && !enforcer.allows(member, 'extra'));
    assert.ok(!enforcer.allows(contextOf(enforcer, ['admin']), 'image:pull'));
    assert.ok(enforcer.allows(contextOf(enforcer, ['operator']), 'image:pull'));
  });

  test('asks the rule "default" for one that does not exist, and denies without it', () => {
    const context = contextOf(new PolicyEnforcer(defaults), ['member']);
    assert.ok(!new PolicyEnforcer(defaults).allows(context, 'nothing:here'));
    const open = new PolicyEnforcer(defaults, { default: '@', leaning: 'rule:nothing:here' });
    assert.ok(open.allows(context, 'nothing:here') && open.allows(context, 'leaning'));
    assert.ok(!new PolicyEnforcer(defaults, { leaning: 'rule:nothing:here' }).allows(context, 'leaning'));
  });

  test('refuses rules that lead in a circle, below "not" and through "default" too', () => {
    assert.throws(() => new PolicyEnforcer({ a: 'rule:b', b: '@ or (role:x and not rule:a)' }), /circle: a -> b -> a/);
    assert.throws(() => new PolicyEnforcer({ a: 'not rule:a' }), /circle: a -> a/);
    assert.throws(() => new PolicyEnforcer({ default: 'rule:gone' }), /circle: default -> default/);
    assert.doesNotThrow(() => new PolicyEnforcer({ a: 'rule:b and rule:b', b: '@' }));
  });

  test('warns of rules that deny because they are broken', () => {
    const { warnings } = new PolicyEnforcer({ broken: 'role:a or', leaning: 'rule:gone' });
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? '', /broken.*role:a or/);
    assert.match(warnings[1] ?? '', /leaning.*gone/);
  });
});
