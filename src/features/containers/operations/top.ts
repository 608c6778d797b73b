import type { Operation } from '../../../api/operation.ts';
import { stringOrNone } from '../../../rules/string-or-none.ts';
import { requireState } from '../../../rules/valid-states.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';
import { askRuntime } from '../runtime-refusal.ts';

/** Processes of a running container; 400 in ps's own words for arguments that ps refuses. Origin: containers.py (top). */
export function top(services: ContainerServices): Operation {
  return {
    route: 'GET /v1/containers/{container_ident}/top',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:top');
      requireState('top', container);
      const psArgs = stringOrNone(request.params.ps_args as string | undefined);
      return { status: 200, body: await askRuntime(services, container, (runtime, signal) => runtime.top(container.uuid, psArgs, signal)) };
    },
  };
}
