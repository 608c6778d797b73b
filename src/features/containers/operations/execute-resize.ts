import type { Operation } from '../../../api/operation.ts';
import { operationNotSupported } from '../../../errors/catalogue.ts';
import { requireState } from '../../../rules/valid-states.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';
import { requiredText } from '../required-text.ts';

/** The place of an exec's terminal size: it belongs to a console, which is not there yet. Origin: containers.py (execute_resize). */
export function executeResize(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/execute_resize',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:execute_resize');
      requireState('execute_resize', container);
      requiredText(request.params, 'exec_id');
      throw operationNotSupported(
        'Resizing the terminal of an exec needs the console proxy, which is not part of this release. Use execute with run=true.',
      );
    },
  };
}
