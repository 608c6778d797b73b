import type { Operation } from '../../../api/operation.ts';
import { requireState } from '../../../rules/valid-states.ts';
import { resizeConsoles } from '../../consoles/console-store.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';
import { terminalSize } from '../terminal-size.ts';

/** Gives the container's terminal the size of whoever is attached to it, who hears of it in a moment. Origin: containers.py (resize). */
export function resize(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/resize',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:resize');
      requireState('resize', container);
      const size = terminalSize(request.params);
      await resizeConsoles(services.database.queries, { containerUuid: container.uuid, execId: null }, size, services.clock.now());
      return { status: 200 };
    },
  };
}
