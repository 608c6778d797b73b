import type { PolicyValues } from './compile-policy-check.ts';

/** The caller, as far as rules can ask. `isAdmin` is what the rule `context_is_admin` decided for the request. */
export interface PolicyContext {
  userId: string | null;
  projectId: string | null;
  roles: readonly string[];
  isAdmin: boolean;
  userDomainId?: string | null;
  domainId?: string | null;
}

/**
 * The caller's values under the names that rules use. `is_admin` is null while it is being decided.
 * Origin: zun/common/context.py, to_policy_values.
 */
export function policyCredentials(context: Omit<PolicyContext, 'isAdmin'> & { isAdmin: boolean | null }): PolicyValues {
  return {
    user_id: context.userId,
    user_domain_id: context.userDomainId ?? null,
    system_scope: null,
    domain_id: context.domainId ?? null,
    project_id: context.projectId,
    project_domain_id: null,
    roles: context.roles,
    is_admin_project: true,
    service_user_id: null,
    service_user_domain_id: null,
    service_project_id: null,
    service_project_domain_id: null,
    service_roles: [],
    is_admin: context.isAdmin,
  };
}
