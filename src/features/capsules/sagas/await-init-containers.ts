import type { WorkloadObservation } from '../../../runtime/container-runtime.ts';
import { RuntimeFault } from '../../../runtime/runtime-fault.ts';
import type { Step } from '../../../tasks/saga.ts';
import type { Container } from '../../containers/container.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { initDeadlineSeconds } from './init-deadline.ts';
import { hasSucceeded } from './member-progress.ts';
import { recordMember } from './record-member.ts';
import { type CapsuleContext, type CapsulePayload, capsuleOfTask } from './saga-capsule.ts';
import { untilSeen } from './until-seen.ts';

/** Waits for the init containers of a capsule that is one object, one after another; their rows show how they are meanwhile. */
export function awaitInitContainersStep(services: CapsuleServices): Step<CapsulePayload> {
  return {
    name: 'run init containers',
    async run(context) {
      for (const init of (await capsuleOfTask(services, context)).initContainers) await awaitSuccess(services, context, init);
    },
  };
}

async function awaitSuccess(services: CapsuleServices, context: CapsuleContext, init: Container): Promise<void> {
  const { clock } = services;
  let deadline = Number.POSITIVE_INFINITY;
  let shown = '';
  const succeeded = async (seen: WorkloadObservation | null, capsule: WorkloadObservation | null) => {
    try {
      return hasSucceeded(init, seen, capsule);
    } catch (error) {
      // It is removed next, and never runs again.
      if (seen?.state.status === 'restarting')
        await recordMember(services, context, init, { ...seen, state: { ...seen.state, status: 'exited' } });
      throw error;
    }
  };
  await untilSeen(services, context, init, async (seen, capsule) => {
    if (seen && seen.state.startedAt !== null && `${seen.state.status} ${seen.restartCount}` !== shown) {
      shown = `${seen.state.status} ${seen.restartCount}`;
      // How long its image takes is not its own time; the task's bounds it.
      if (deadline === Number.POSITIVE_INFINITY) deadline = clock.now() + initDeadlineSeconds * 1000;
      await recordMember(services, context, init, seen);
    }
    if (await succeeded(seen, capsule)) return true;
    if (clock.now() >= deadline)
      throw new RuntimeFault('timeout', `Init container ${init.name} did not end within ${initDeadlineSeconds} seconds.`);
    return false;
  });
}
