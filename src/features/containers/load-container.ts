import type { ApiRequest } from '../../api/operation.ts';
import { conflict, containerNotFound } from '../../errors/catalogue.ts';
import { isUuidLike } from '../../rules/uuid-like.ts';
import type { Container } from './container.ts';
import type { ContainerServices } from './container-services.ts';
import { type ContainerWithRegistry, findContainers, type Scope } from './container-store.ts';

/**
 * The container a request names by uuid or name, if the caller may know of it: 404 otherwise, 409 for a name that
 * two containers share. Admins see every project's. Origin: zun/api/utils.py (get_resource).
 */
export async function loadContainer(
  services: Pick<ContainerServices, 'database'>,
  request: ApiRequest,
  ident: string = request.path.container_ident ?? '',
): Promise<ContainerWithRegistry> {
  const scope: Scope = request.context.isAdmin ? 'all-projects' : { projectId: request.context.projectId };
  const found = await findContainers(services.database.queries, isUuidLike(ident) ? { uuid: ident } : { name: ident }, scope);
  if (found.length > 1) throw conflict('Multiple containers exist with same name. Please use the container uuid instead.');
  const [one] = found;
  if (!one) throw containerNotFound(ident);
  return one;
}

/** Loads the container and checks a rule against its owner. Origin: containers.py (check_policy_on_container). */
export async function loadAuthorized(
  services: Pick<ContainerServices, 'database' | 'policy'>,
  request: ApiRequest,
  rule: string,
): Promise<ContainerWithRegistry> {
  const loaded = await loadContainer(services, request);
  services.policy.authorize(request.context, rule, targetOf(loaded.container));
  return loaded;
}

export const targetOf = (container: Container) => ({ project_id: container.projectId, user_id: container.userId });
