import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import type { ActionServices } from '../action-services.ts';
import { actionsOfContainer } from '../action-store.ts';
import { actionView } from '../action-view.ts';
import { containerUuid } from '../container-uuid.ts';

/** What was asked of a container. Origin: containers.py (ContainersActionsController.get_all). */
export function listActions(services: ActionServices): Operation {
  return {
    route: 'GET /v1/containers/{container_ident}/container_actions',
    async handle(request) {
      services.policy.authorize(request.context, 'container:actions', ownTarget(request.context));
      const actions = await actionsOfContainer(services.database.queries, await containerUuid(services, request));
      return { status: 200, body: { containerActions: actions.map(actionView) } };
    },
  };
}
