import type { Operation } from '../../api/operation.ts';
import type { ActionServices } from './action-services.ts';
import { listActions } from './operations/list.ts';
import { showAction } from './operations/show.ts';

/** The operations of `/v1/containers/{container_ident}/container_actions`. */
export function actionsOperations(services: ActionServices): Operation[] {
  return [listActions(services), showAction(services)];
}
