import type { ApiRequest } from '../../api/operation.ts';
import { conflict, containerNotFound } from '../../errors/catalogue.ts';
import { isUuidLike } from '../../rules/uuid-like.ts';
import { findContainers } from '../containers/container-store.ts';
import type { ActionServices } from './action-services.ts';

/** The uuid of the container in the path, if the caller may know of it. Origin: zun/api/utils.py (get_resource). */
export async function containerUuid({ database }: ActionServices, { path, context }: ApiRequest): Promise<string> {
  const ident = path.container_ident ?? '';
  const scope = context.isAdmin ? 'all-projects' : { projectId: context.projectId };
  const found = await findContainers(database.queries, isUuidLike(ident) ? { uuid: ident } : { name: ident }, scope);
  if (found.length > 1) throw conflict('Multiple containers exist with same name. Please use the container uuid instead.');
  const [one] = found;
  if (!one) throw containerNotFound(ident);
  return one.container.uuid;
}
