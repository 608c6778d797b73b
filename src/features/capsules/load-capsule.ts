import type { ApiRequest } from '../../api/operation.ts';
import { conflict, containerNotFound } from '../../errors/catalogue.ts';
import { isUuidLike } from '../../rules/uuid-like.ts';
import type { Scope } from '../containers/container-store.ts';
import type { WholeCapsule } from './capsule.ts';
import type { CapsuleServices } from './capsule-services.ts';
import { findCapsules } from './capsule-store.ts';

/**
 * The capsule a request names by uuid or name, once a rule was checked against its owner: 404 when the caller may not know of it, 409
 * for a name that two share. The texts speak of containers, as the original's do.
 * Origin: zun/api/utils.py (get_resource), zun/api/controllers/v1/capsules.py (check_policy_on_capsule).
 */
export async function loadCapsule(
  services: Pick<CapsuleServices, 'database' | 'policy'>,
  request: ApiRequest,
  rule: string,
): Promise<WholeCapsule> {
  const { context } = request;
  const ident = request.path.capsule_ident ?? '';
  const scope: Scope = context.isAdmin ? 'all-projects' : { projectId: context.projectId };
  const found = await findCapsules(services.database.queries, isUuidLike(ident) ? { uuid: ident } : { name: ident }, scope);
  if (found.length > 1) throw conflict('Multiple containers exist with same name. Please use the container uuid instead.');
  const [one] = found;
  if (!one) throw containerNotFound(ident);
  services.policy.authorize(context, rule, { project_id: one.capsule.projectId, user_id: one.capsule.userId });
  return one;
}
