import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { isAllProjects } from '../../../rules/all-projects.ts';
import { enqueueAction } from '../../containers/enqueue-action.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { deleteCapsule } from '../capsule-store.ts';
import { loadCapsule } from '../load-capsule.ts';

/**
 * Deletes a capsule in whatever state it is: 204 once the wish is durable. Work that still runs for it is cancelled and undone first.
 * One that was never placed has nothing on a node and goes at once. Origin: zun/api/controllers/v1/capsules.py (delete).
 */
export function deleteOperation(services: CapsuleServices): Operation {
  return {
    route: 'DELETE /v1/capsules/{capsule_ident}',
    async handle(request) {
      const { context } = request;
      if (isAllProjects(request.params.all_projects as string | undefined)) {
        services.policy.authorize(context, 'capsule:delete_all_projects', ownTarget(context));
      }
      const { capsule } = await loadCapsule(services, request, 'capsule:delete');
      await services.database.transaction(async (queries) => {
        await services.tasks.cancel(queries, capsule.uuid);
        if (capsule.host === null) return deleteCapsule(queries, capsule.uuid);
        await enqueueAction(services, queries, context, capsule, {
          kind: 'capsule.delete',
          action: 'delete',
          deadlineSeconds: 600,
          changes: { taskState: 'container_deleting' },
        });
      });
      services.taskSignal.cancel(capsule.uuid);
      services.taskSignal.wake();
      return { status: 204 };
    },
  };
}
