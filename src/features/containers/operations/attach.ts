import type { Operation } from '../../../api/operation.ts';
import { noInteractiveFlag, operationNotSupported } from '../../../errors/catalogue.ts';
import { requireState } from '../../../rules/valid-states.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';

/** The place of the console's address: checked as the original does, and then refused until there is a console. */
export function attach(services: ContainerServices): Operation {
  return {
    route: 'GET /v1/containers/{container_ident}/attach',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:attach');
      requireState('attach', container);
      if (!container.interactive) throw noInteractiveFlag();
      throw operationNotSupported(
        'Attaching needs the console proxy, which is not part of this release. Use execute with run=true to run a command, and logs to read output.',
      );
    },
  };
}
