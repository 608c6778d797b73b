import type { Step } from '../../../tasks/saga.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { hasStarted } from './member-progress.ts';
import { type CapsulePayload, capsuleOfTask } from './saga-capsule.ts';
import { untilSeen } from './until-seen.ts';

/** Waits until each container of a capsule that is one object runs, or has run. */
export function awaitContainersStep(services: CapsuleServices): Step<CapsulePayload> {
  return {
    name: 'start containers',
    async run(context) {
      for (const container of (await capsuleOfTask(services, context)).containers)
        await untilSeen(services, context, container, (seen, capsule) => hasStarted(container, seen, capsule));
    },
  };
}
