import type { ApiRequest, Operation } from '../../../api/operation.ts';
import { requireState, type StatefulAction } from '../../../rules/valid-states.ts';
import type { ContainerChanges } from '../container.ts';
import type { ContainerServices } from '../container-services.ts';
import { enqueueAction } from '../enqueue-action.ts';
import { loadAuthorized } from '../load-container.ts';
import { requireOffered } from '../require-offered.ts';

export interface LifecycleAction {
  /** The path's last segment, the policy's, the state rule's and the action's name. */
  name: Extract<StatefulAction, 'start' | 'stop' | 'reboot' | 'pause' | 'unpause' | 'kill'>;
  /** What the row says as soon as the request is accepted. */
  changes: ContainerChanges;
  /** What the task needs of the request; may refuse it. */
  payload?(request: ApiRequest): object;
  /** Seconds from request to giving up. */
  deadlineSeconds(payload: object): number;
}

/** An action that answers 202 once its task is durable. Origin: zun/api/controllers/v1/containers.py. */
export function lifecycleOperation(services: ContainerServices, action: LifecycleAction): Operation {
  return {
    route: `POST /v1/containers/{container_ident}/${action.name}`,
    async handle(request) {
      const { container } = await loadAuthorized(services, request, `container:${action.name}`);
      requireState(action.name, container);
      requireOffered(services.runtime, action.name);
      const payload = action.payload?.(request) ?? {};
      await services.database.transaction((queries) =>
        enqueueAction(services, queries, request.context, container, {
          kind: `container.${action.name}`,
          action: action.name,
          payload,
          deadlineSeconds: action.deadlineSeconds(payload),
          changes: action.changes,
        }),
      );
      services.taskSignal.wake();
      return { status: 202 };
    },
  };
}
