import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { resourceNotFound } from '../../../errors/catalogue.ts';
import type { ActionServices } from '../action-services.ts';
import { actionOfRequest, eventsOfAction } from '../action-store.ts';
import { actionEventView, actionView } from '../action-view.ts';
import { containerUuid } from '../container-uuid.ts';

/** What one request asked of a container, with how it went. Origin: containers.py (ContainersActionsController.get_one). */
export function showAction(services: ActionServices): Operation {
  return {
    route: 'GET /v1/containers/{container_ident}/container_actions/{request_ident}',
    async handle(request) {
      const { context, path } = request;
      const { policy, database } = services;
      const target = ownTarget(context);
      policy.authorize(context, 'container:actions', target);
      const requestId = path.request_ident ?? '';
      const action = await actionOfRequest(database.queries, await containerUuid(services, request), requestId);
      if (!action) throw resourceNotFound('Action', requestId);
      const showsTraceback = policy.allows(context, 'container:action:events', target);
      const events = await eventsOfAction(database.queries, action.id);
      return { status: 200, body: { ...actionView(action), events: events.map((event) => actionEventView(event, showsTraceback)) } };
    },
  };
}
