import type { Operation } from '../../../api/operation.ts';
import { invalid } from '../../../errors/catalogue.ts';
import { requireState } from '../../../rules/valid-states.ts';
import { resizeConsoles } from '../../consoles/console-store.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';
import { requiredText } from '../required-text.ts';
import { terminalSize } from '../terminal-size.ts';

/** Gives the terminal of an exec a size, before its console is opened or while it is. Origin: containers.py (execute_resize). */
export function executeResize(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/execute_resize',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:execute_resize');
      requireState('execute_resize', container);
      const execId = requiredText(request.params, 'exec_id');
      const size = terminalSize(request.params);
      const which = { containerUuid: container.uuid, execId };
      if (!(await resizeConsoles(services.database.queries, which, size, services.clock.now())))
        throw invalid(`no such exec instance: container ${container.uuid} has no exec '${execId}' that is open or may still be opened.`);
      return { status: 200 };
    },
  };
}
