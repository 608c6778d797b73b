import type { Step } from '../../../tasks/saga.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { joiningMemberSpec, removeMembers } from './member-workload.ts';
import { type CapsulePayload, capsuleOfTask } from './saga-capsule.ts';

/** Creates and starts the containers in the order of the template. One that has run already is not started again. Undo removes them. */
export function startContainersStep(services: CapsuleServices): Step<CapsulePayload> {
  const { runtime } = services;
  return {
    name: 'start containers',
    async run(context) {
      const { containers } = await capsuleOfTask(services, context);
      for (const member of containers) {
        await runtime.create(await joiningMemberSpec(services, context, member));
        const observation = await runtime.inspect(member.uuid, context.signal);
        if (observation?.state.status === 'created') await runtime.start(member.uuid, context.signal);
      }
    },
    async undo(context) {
      await removeMembers(services, (await capsuleOfTask(services, context)).containers, context.signal);
    },
  };
}
