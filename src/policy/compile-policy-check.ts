import { pythonStr } from '../validation/python-repr.ts';
import type { PythonValue } from '../validation/python-value.ts';
import type { PolicyCheck, PolicyTemplate } from './policy-check.ts';

/** What is known of the caller or of the object acted on, under Keystone's and Zun's names (`project_id`). */
export type PolicyValues = Record<string, unknown>;

export type CompiledPolicy = (credentials: PolicyValues, target: PolicyValues) => boolean;

/**
 * Turns a parsed rule into a function. `ruleOf` answers the compiled rule of a name, or undefined: then the reference denies.
 * Origin: oslo.policy, _checks.py (RuleCheck, RoleCheck, GenericCheck).
 */
export function compilePolicyCheck(check: PolicyCheck, ruleOf: (name: string) => CompiledPolicy | undefined): CompiledPolicy {
  switch (check.kind) {
    case 'allow':
      return () => true;
    case 'deny':
      return () => false;
    case 'not': {
      const inner = compilePolicyCheck(check.check, ruleOf);
      return (credentials, target) => !inner(credentials, target);
    }
    case 'and': {
      const all = check.checks.map((each) => compilePolicyCheck(each, ruleOf));
      return (credentials, target) => all.every((each) => each(credentials, target));
    }
    case 'or': {
      const any = check.checks.map((each) => compilePolicyCheck(each, ruleOf));
      return (credentials, target) => any.some((each) => each(credentials, target));
    }
    case 'rule':
      return ruleOf(check.name) ?? (() => false);
    case 'role':
      return (credentials, target) => hasRole(credentials.roles, filled(check.role, target));
    case 'literal':
      return (_credentials, target) => filled(check.match, target) === check.value;
    case 'credential':
      return (credentials, target) => {
        const match = filled(check.match, target);
        return match !== null && finds(credentials, check.path, match);
      };
  }
}

/** Null when the target lacks a value: the check then fails. */
function filled(template: PolicyTemplate, target: PolicyValues): string | null {
  let text = '';
  for (const part of template) {
    if (typeof part === 'string') {
      text += part;
    } else if (Object.hasOwn(target, part.key)) {
      text += printed(target[part.key]);
    } else {
      return null;
    }
  }
  return text;
}

function hasRole(roles: unknown, role: string | null): boolean {
  return (
    role !== null && Array.isArray(roles) && roles.some((each) => typeof each === 'string' && each.toLowerCase() === role.toLowerCase())
  );
}

/** Whether the value at the path prints as `match`; of a list on the way, any member will do. */
function finds(value: unknown, path: string[], match: string): boolean {
  const [key, ...rest] = path;
  if (key === undefined) {
    return printed(value) === match;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
    return false;
  }
  const member = (value as PolicyValues)[key];
  return Array.isArray(member) ? member.some((each) => finds(each, rest, match)) : finds(member, rest, match);
}

function printed(value: unknown): string {
  return pythonStr((value ?? null) as PythonValue);
}
