import type { PolicyRules } from './policy-enforcer.ts';

/** The default rules in the text of `contract/policies.json`. */
export function defaultPolicies(contractText: string): PolicyRules {
  const contract = JSON.parse(contractText) as { rules: { name: string; check: string }[] };
  return Object.fromEntries(contract.rules.map(({ name, check }) => [name, check]));
}
