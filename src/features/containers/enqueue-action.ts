import type { RequestContext } from '../../api/request-context.ts';
import type { Queries } from '../../db/database.ts';
import type { Container, ContainerChanges } from './container.ts';
import type { ContainerServices } from './container-services.ts';
import { updateContainer } from './container-store.ts';

export interface ContainerAction {
  /** Task kind, `container.start`. */
  kind: string;
  /** `container_actions.action`; `null` for work that the original records no action for. */
  action: string | null;
  /** The original's event of it, when it is not `compute__do_container_<action>`. */
  event?: string;
  payload?: unknown;
  deadlineSeconds: number;
  /** What the row says from now on. */
  changes?: ContainerChanges;
}

/** Writes the wish: row, action, event and task in the caller's transaction. */
export async function enqueueAction(
  services: Pick<ContainerServices, 'actions' | 'tasks' | 'clock'>,
  queries: Queries,
  context: RequestContext,
  container: Pick<Container, 'uuid' | 'projectId'>,
  action: ContainerAction,
): Promise<void> {
  const now = services.clock.now();
  if (action.changes) await updateContainer(queries, container.uuid, action.changes, now);
  const actionId =
    action.action === null
      ? null
      : await services.actions.start(queries, {
          action: action.action,
          event: action.event ?? `compute__do_container_${action.action}`,
          containerUuid: container.uuid,
          requestId: context.requestId,
          userId: context.userId,
          projectId: context.projectId,
        });
  await services.tasks.enqueue(queries, {
    kind: action.kind,
    subject: container.uuid,
    projectId: container.projectId,
    requestId: context.requestId,
    actionId,
    payload: action.payload ?? {},
    deadline: now + action.deadlineSeconds * 1000,
  });
}
