import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { isAllProjects } from '../../../rules/all-projects.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerView } from '../container-view.ts';
import { loadAuthorized } from '../load-container.ts';

/** Shows a container from its row: one query, no call to a node. */
export function show(services: ContainerServices): Operation {
  return {
    route: 'GET /v1/containers/{container_ident}',
    async handle(request) {
      const { context } = request;
      if (isAllProjects(request.params.all_projects as string | undefined))
        services.policy.authorize(context, 'container:get_one_all_projects', ownTarget(context));
      const { container, registryUuid } = await loadAuthorized(services, request, 'container:get_one');
      return { status: 200, body: containerView(services.policy, request, services.clock)(container, registryUuid) };
    },
  };
}
