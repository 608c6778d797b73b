import type { Operation } from '../../../api/operation.ts';
import { requireState } from '../../../rules/valid-states.ts';
import { checkLimitQuota } from '../claim-limits.ts';
import { containerPatch } from '../container-patch.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerView } from '../container-view.ts';
import { enqueueAction } from '../enqueue-action.ts';
import { loadAuthorized } from '../load-container.ts';
import { type ResizePayload, resizeDeadlineSeconds } from '../sagas/resize.ts';

/** Changes limits by a task and answers the container as it is before. Origin: containers.py (resize_container). */
export function resizeContainer(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/resize_container',
    async handle(request) {
      const { container, registryUuid } = await loadAuthorized(services, request, 'container:resize_container');
      requireState('resize_container', container);
      const patch = containerPatch(request.params, container);
      const { name, cpu, memory, autoHeal } = container;
      const payload: ResizePayload = { patch, previous: { name, cpu, memory, autoHeal } };
      await services.database.transaction(async (queries) => {
        await checkLimitQuota(services, queries, container, patch);
        await enqueueAction(services, queries, request.context, container, {
          kind: 'container.resize',
          action: null,
          payload,
          deadlineSeconds: resizeDeadlineSeconds,
        });
      });
      services.taskSignal.wake();
      return { status: 202, body: containerView(services.policy, request, services.clock)(container, registryUuid) };
    },
  };
}
