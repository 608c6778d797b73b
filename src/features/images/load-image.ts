import { ownTarget } from '../../api/authorizer.ts';
import type { ApiRequest } from '../../api/operation.ts';
import { imageNotFound, imagePullFailed } from '../../errors/catalogue.ts';
import { failedPullReason } from './failed-pull-store.ts';
import type { ImageServices } from './image-services.ts';
import { findImage, type ImageRow } from './image-store.ts';

/**
 * The image a request names by uuid: 400, as in the original, when the caller may not know of it, with the reason when its pull failed. A name is not
 * found either, where the original answers 500. Admins see every project's. Origin: zun/api/utils.py (get_resource).
 */
export async function loadImage(services: Pick<ImageServices, 'database' | 'policy'>, request: ApiRequest): Promise<ImageRow> {
  const ident = request.path.image_id ?? '';
  const { context } = request;
  const scope = context.isAdmin ? 'all-projects' : { projectId: context.projectId };
  const row = await findImage(services.database.queries, ident, scope);
  if (row) return row;
  const reason = services.policy.allows(context, 'image:get_one', ownTarget(context))
    ? await failedPullReason(services.database.queries, ident)
    : null;
  throw reason === null ? imageNotFound(ident) : imagePullFailed(ident, reason);
}
