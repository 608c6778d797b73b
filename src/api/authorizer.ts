import type { RequestContext } from './request-context.ts';

/** What a rule is checked against: the owner of the resource, or of the request itself. */
export type PolicyTarget = { project_id: string; user_id: string };

/** The policy as operations and views use it (`src/policy` has the language). */
export interface Authorizer {
  /** Throws `PolicyNotAuthorized` (403) unless the rule passes. */
  authorize(context: RequestContext, rule: string, target: PolicyTarget): void;
  /** `mightNotExist`: a rule that is not defined passes (field visibility). */
  allows(context: RequestContext, rule: string, target: PolicyTarget, options?: { mightNotExist?: boolean }): boolean;
}

/** The target of operations on no particular resource. */
export function ownTarget(context: RequestContext): PolicyTarget {
  return { project_id: context.projectId, user_id: context.userId };
}
