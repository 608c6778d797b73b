import { policyNotAuthorized } from '../errors/catalogue.ts';
import { type CompiledPolicy, compilePolicyCheck, type PolicyValues } from './compile-policy-check.ts';
import { type PolicyRuleSource, parsePolicyRule } from './parse-policy-rule.ts';
import type { PolicyCheck } from './policy-check.ts';
import { type PolicyContext, policyCredentials } from './policy-context.ts';

/** Rules by name: `container:create` → `is_admin:True or project_id:%(project_id)s`. */
export type PolicyRules = Record<string, PolicyRuleSource>;

/** The rule that is asked in place of one that does not exist; unless an operator defines it, such a rule denies. */
const DEFAULT_RULE = 'default';

/**
 * Decides what a caller may do. Rules are parsed once, when it is made; rules that lead in a circle are refused then (the
 * original would crash when asked). `warnings` names rules that can't be read and rules that name one that does not exist: both deny.
 * Origin: zun/common/policy.py; oslo.policy, Enforcer.
 */
export class PolicyEnforcer {
  readonly warnings: readonly string[];
  readonly #rules = new Map<string, CompiledPolicy>();

  constructor(defaults: PolicyRules, overrides: PolicyRules = {}) {
    const parsed = new Map<string, PolicyCheck>();
    const warnings: string[] = [];
    for (const [name, source] of Object.entries({ ...defaults, ...overrides })) {
      const check = parsePolicyRule(source);
      if (!check) {
        warnings.push(`policy ${name} can't be read and denies everybody: ${source}`);
      }
      parsed.set(name, check ?? { kind: 'deny' });
    }
    for (const name of parsed.keys()) {
      this.#compile(name, parsed, [], warnings);
    }
    this.warnings = warnings;
  }

  /** Every rule that is defined, defaults first. */
  get names(): string[] {
    return [...this.#rules.keys()];
  }

  /** Throws PolicyNotAuthorized (403) unless the rule allows. Without a target, the caller's own project and user are it. */
  authorize(context: PolicyContext, rule: string, target?: PolicyValues): void {
    if (!this.allows(context, rule, target)) {
      throw policyNotAuthorized(rule);
    }
  }

  /** Whether the rule allows. With `mightNotExist`, a rule that is not defined allows (fields of a view). */
  allows(context: PolicyContext, rule: string, target?: PolicyValues, options: { mightNotExist?: boolean } = {}): boolean {
    if (options.mightNotExist && !this.#rules.has(rule)) {
      return true;
    }
    return this.#decides(rule, policyCredentials(context), target ?? { project_id: context.projectId, user_id: context.userId });
  }

  /** Whether the caller is an administrator, by the rule `context_is_admin`. */
  isAdmin(context: Omit<PolicyContext, 'isAdmin'>): boolean {
    return this.#decides('context_is_admin', policyCredentials({ ...context, isAdmin: null }), {});
  }

  #decides(rule: string, credentials: PolicyValues, target: PolicyValues): boolean {
    const compiled = this.#rules.get(rule) ?? this.#rules.get(DEFAULT_RULE);
    return compiled?.(credentials, target) ?? false;
  }

  /** Compiles the rules that a rule names before the rule itself; `path` is how it was reached. */
  #compile(name: string, parsed: Map<string, PolicyCheck>, path: string[], warnings: string[]): CompiledPolicy | undefined {
    const known = this.#rules.get(name);
    const check = parsed.get(name);
    if (known || !check) {
      return known;
    }
    if (path.includes(name)) {
      throw new Error(`policies lead in a circle: ${[...path, name].join(' -> ')}`);
    }
    const compiled = compilePolicyCheck(check, (referred) => {
      if (!parsed.has(referred)) {
        warnings.push(`policy ${name} names the rule ${referred}, which is not defined`);
      }
      return this.#compile(parsed.has(referred) ? referred : DEFAULT_RULE, parsed, [...path, name], warnings);
    });
    this.#rules.set(name, compiled);
    return compiled;
  }
}
