import type { Queries } from '../../../db/database.ts';
import type { SagaContext, Step } from '../../../tasks/saga.ts';
import { updateContainer } from '../../containers/container-store.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { capsuleByUuid } from '../capsule-store.ts';
import { type CapsuleObservations, inspectCapsule, observedCapsule } from '../observed-capsule.ts';
import { capsuleOfTask } from './saga-capsule.ts';

/** Asks the engine for the whole capsule; what it says is written with the task's end (`writeObservations`). */
export function observeStep<Payload>(services: CapsuleServices): Step<Payload> {
  return {
    name: 'observe',
    async run(context) {
      const whole = await capsuleOfTask(services, context);
      context.data.observations = await inspectCapsule(services.runtime, whole, context.signal);
    },
  };
}

/** The rows say what was observed, and no task is under way any more. */
export async function writeObservations(
  services: CapsuleServices,
  queries: Queries,
  context: Pick<SagaContext, 'task' | 'data'>,
): Promise<void> {
  const whole = await capsuleByUuid(queries, context.task.subject);
  if (!whole) return;
  const now = services.clock.now();
  const observations = context.data.observations as CapsuleObservations;
  const changes = observedCapsule({ ...whole, capsule: { ...whole.capsule, taskState: null } }, observations, now);
  for (const [uuid, change] of Object.entries(changes)) await updateContainer(queries, uuid, change, now);
  await updateContainer(queries, whole.capsule.uuid, { taskState: null }, now);
}
