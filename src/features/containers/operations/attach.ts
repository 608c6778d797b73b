import type { Operation } from '../../../api/operation.ts';
import { noInteractiveFlag } from '../../../errors/catalogue.ts';
import { requireState } from '../../../rules/valid-states.ts';
import { consoleAddress } from '../console-address.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';

/** The address of a console on the container's main process. Origin: containers.py (attach). */
export function attach(services: ContainerServices): Operation {
  return {
    route: 'GET /v1/containers/{container_ident}/attach',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:attach');
      requireState('attach', container);
      if (!container.interactive) throw noInteractiveFlag();
      const { url } = await consoleAddress(services, request, container, { kind: 'attach' });
      return { status: 200, body: url };
    },
  };
}
