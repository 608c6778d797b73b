import { anonymousContext } from '../../api/request-context.ts';
import type { WorkloadObservation } from '../../runtime/container-runtime.ts';
import { enqueueAction } from '../containers/enqueue-action.ts';
import type { CapsuleServices } from './capsule-services.ts';
import { capsuleByUuid, capsulesOfHost } from './capsule-store.ts';
import type { CapsuleObservations } from './observed-capsule.ts';
import { repairPlan } from './repair-plan.ts';

/**
 * Queues the repair of this host's capsules whose containers have lost their network, by a complete listing; the task looks again
 * before it does anything. A capsule that is one object of the runtime can't lose its network in part. Not after events, which a repair in vain would cause itself: so there is one try a listing.
 */
export async function repairCapsules(services: CapsuleServices, host: string | null, observations: WorkloadObservation[]): Promise<void> {
  if (services.runtime.capsules) return;
  const seen: CapsuleObservations = Object.fromEntries(observations.map((observation) => [observation.uuid, observation]));
  for (const whole of await capsulesOfHost(services.database.queries, host)) {
    if (repairPlan(whole, seen).length === 0) continue;
    await services.database.transaction(async (queries) => {
      const capsule = (await capsuleByUuid(queries, whole.capsule.uuid))?.capsule;
      if (!capsule || capsule.taskState !== null || capsule.containerId === null) return;
      const context = { ...anonymousContext(services.ids.requestId()), userId: capsule.userId, projectId: capsule.projectId };
      await enqueueAction(services, queries, context, capsule, {
        kind: 'capsule.repair',
        action: null,
        deadlineSeconds: 120,
        changes: { taskState: 'container_starting' },
      });
    });
    services.taskSignal.wake();
  }
}
