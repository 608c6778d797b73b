import type { Authorizer } from '../../src/api/authorizer.ts';
import { defaultPolicies } from '../../src/policy/default-policies.ts';
import { PolicyEnforcer } from '../../src/policy/policy-enforcer.ts';
import { contractText } from './vectors.ts';

/** The original's default rules. */
export function defaultPolicy(): Authorizer {
  const enforcer = new PolicyEnforcer(defaultPolicies(contractText('policies.json')));
  return {
    authorize: (context, rule, target) => enforcer.authorize(context, rule, { ...target }),
    allows: (context, rule, target, options) => enforcer.allows(context, rule, { ...target }, options),
  };
}
