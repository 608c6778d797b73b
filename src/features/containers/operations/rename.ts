import type { Operation } from '../../../api/operation.ts';
import { conflict, invalidValue } from '../../../errors/catalogue.ts';
import type { ContainerServices } from '../container-services.ts';
import { updateContainer } from '../container-store.ts';
import { containerView } from '../container-view.ts';
import { loadAuthorized } from '../load-container.ts';
import { requireUniqueName } from '../require-unique-name.ts';
import { requiredText } from '../required-text.ts';

/** As the schema has it for a name in the query; the original takes any from a body. */
const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{1,254}$/;

/** Gives a container another name, in any state; up to 1.13. Origin: containers.py (rename). */
export function rename(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/rename',
    async handle(request) {
      const { container, registryUuid } = await loadAuthorized(services, request, 'container:rename');
      const name = requiredText(request.params, 'name');
      if (!namePattern.test(name)) throw invalidValue(`Invalid value '${name}' for name: it does not match ${namePattern.source}.`);
      if (container.name === name) throw conflict('The new name for the container is the same as the old name.');
      const now = services.clock.now();
      await services.database.transaction(async (queries) => {
        await requireUniqueName(queries, name, request.context.projectId, services.settings.uniqueNameScope);
        await updateContainer(queries, container.uuid, { name }, now);
      });
      return {
        status: 200,
        body: containerView(services.policy, request, services.clock)({ ...container, name, updatedAt: now }, registryUuid),
      };
    },
  };
}
