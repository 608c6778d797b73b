import type { Operation } from '../../../api/operation.ts';
import { operationNotSupported } from '../../../errors/catalogue.ts';
import { requireState } from '../../../rules/valid-states.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';

/** The place of the terminal's size: it belongs to a console, which is not there yet. Origin: containers.py (resize). */
export function resize(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/resize',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:resize');
      requireState('resize', container);
      throw operationNotSupported(
        'Resizing a terminal needs the console proxy, which is not part of this release. Use resize_container to change cpu and memory.',
      );
    },
  };
}
