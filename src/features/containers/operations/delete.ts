import { ownTarget } from '../../../api/authorizer.ts';
import type { ApiRequest, Operation } from '../../../api/operation.ts';
import { requireVersion } from '../../../api/require-version.ts';
import { isAllProjects } from '../../../rules/all-projects.ts';
import { booleanFromString } from '../../../rules/boolean-from-string.ts';
import { requireState } from '../../../rules/valid-states.ts';
import type { Container } from '../container.ts';
import type { ContainerServices } from '../container-services.ts';
import { deleteContainer } from '../container-store.ts';
import { deleteContainerVolumes } from '../container-volumes.ts';
import { enqueueAction } from '../enqueue-action.ts';
import { loadAuthorized, targetOf } from '../load-container.ts';

const route = 'DELETE /v1/containers/{container_ident}';

/** Seconds a container gets to end by itself under `stop=true`, as in the original. */
const stopGraceSeconds = 10;

/**
 * Deletes a container: 204 once the wish is durable. Work that still runs for it is cancelled and undone first.
 * A container that was never placed has nothing on a node and goes at once. Origin: containers.py (delete).
 */
export function deleteOperation(services: ContainerServices): Operation {
  return {
    route,
    async handle(request) {
      const { context } = request;
      if (isAllProjects(request.params.all_projects as string | undefined))
        services.policy.authorize(context, 'container:delete_all_projects', ownTarget(context));
      const { container } = await loadAuthorized(services, request, 'container:delete');
      const { stop } = checkWish(services, request, container);
      const stopFirst = stop && container.status === 'Running';
      const isNew = await services.database.transaction(async (queries) => {
        // Asked again while it stops: its grace does not begin anew.
        if (stopFirst && (await services.tasks.isWanted(queries, container.uuid, 'container.delete'))) return false;
        await services.tasks.cancel(queries, container.uuid);
        if (container.host === null) {
          await deleteContainerVolumes(queries, container.uuid);
          await deleteContainer(queries, container.uuid);
          return true;
        }
        await enqueueAction(services, queries, context, container, {
          kind: 'container.delete',
          action: 'delete',
          payload: { stopGraceSeconds: stopFirst ? stopGraceSeconds : null },
          deadlineSeconds: 600,
          changes: stopFirst ? { taskState: 'container_stopping' } : { status: 'Deleting', taskState: 'container_deleting' },
        });
        return true;
      });
      if (isNew) {
        services.taskSignal.cancel(container.uuid);
        services.taskSignal.wake();
      }
      return { status: 204 };
    },
  };
}

/** Which way of deleting is asked for, and whether this caller and this state allow it. */
function checkWish(services: ContainerServices, request: ApiRequest, container: Container): { force: boolean; stop: boolean } {
  const force = booleanFromString((request.params.force as string | boolean | undefined) ?? false, 'force or stop');
  const stop = booleanFromString((request.params.stop as string | boolean | undefined) ?? false, 'force or stop');
  const { context } = request;
  if (stop) {
    requireVersion(request, route, 'stop');
    requireState('delete_after_stop', container);
    if (container.status === 'Running') services.policy.authorize(context, 'container:stop', targetOf(container));
  } else if (force) {
    requireVersion(request, route, 'force');
    services.policy.authorize(context, 'container:delete_force', ownTarget(context));
    requireState('delete_force', container);
  } else {
    requireState('delete', container);
  }
  return { force, stop };
}
