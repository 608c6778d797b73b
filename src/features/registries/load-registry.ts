import type { ApiRequest } from '../../api/operation.ts';
import { conflict, registryNotFound } from '../../errors/catalogue.ts';
import { isUuidLike } from '../../rules/uuid-like.ts';
import type { RegistryServices } from './registry-services.ts';
import { findRegistries, type RegistryRow } from './registry-store.ts';

/**
 * The registry a request names by uuid or name, with the rule checked against its owner: 404 when the caller may not know of it,
 * 409 for a name that two registries share. Admins see every project's.
 * Origin: zun/common/utils.py (get_registry), zun/db/sqlalchemy/api.py (get_registry_by_name).
 */
export async function loadRegistry(
  services: Pick<RegistryServices, 'database' | 'policy'>,
  request: ApiRequest,
  rule: string,
): Promise<RegistryRow> {
  const ident = request.path.registry_ident ?? '';
  const scope = request.context.isAdmin ? 'all-projects' : { projectId: request.context.projectId };
  const found = await findRegistries(services.database.queries, isUuidLike(ident) ? { uuid: ident } : { name: ident }, scope);
  if (found.length > 1) throw conflict('Multiple registries exist with same name. Please use the registry uuid instead.');
  const [one] = found;
  if (!one) throw registryNotFound(ident);
  services.policy.authorize(request.context, rule, { project_id: one.project_id ?? '', user_id: one.user_id ?? '' });
  return one;
}
