import type { WorkloadObservation } from '../../../runtime/container-runtime.ts';
import { RuntimeFault } from '../../../runtime/runtime-fault.ts';
import type { Step } from '../../../tasks/saga.ts';
import type { Container } from '../../containers/container.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { initDeadlineSeconds } from './init-deadline.ts';
import { lookPatiently } from './look-patiently.ts';
import { joiningMemberSpec, removeMembers } from './member-workload.ts';
import { recordMember } from './record-member.ts';
import { retriesOf } from './retries-of.ts';
import { type CapsuleContext, type CapsulePayload, capsuleOfTask } from './saga-capsule.ts';

/** Milliseconds between two looks at a running init container: from the first, growing to the second. */
const looks = { first: 50, longest: 1000 };
/** Milliseconds before an init container that failed runs again: doubling from the first to the second. */
const retries = { first: 1000, longest: 60_000 };

/**
 * Runs the init containers in order, each to its success, before anything else of the capsule; the original starts the others whatever
 * an init container ends with. Undo removes them.
 *
 * They are run again from here, by their restart policy, and not by the engine: of a container that has ended an engine does not tell
 * in every version whether it is about to restart it.
 */
export function runInitContainersStep(services: CapsuleServices): Step<CapsulePayload> {
  return {
    name: 'run init containers',
    async run(context) {
      for (const init of (await capsuleOfTask(services, context)).initContainers) await runToSuccess(services, context, init);
    },
    async undo(context) {
      await removeMembers(services, (await capsuleOfTask(services, context)).initContainers, context.signal);
    },
  };
}

async function runToSuccess(services: CapsuleServices, context: CapsuleContext, init: Container): Promise<void> {
  const { runtime, clock } = services;
  const { signal } = context;
  const deadline = clock.now() + initDeadlineSeconds * 1000;
  const spec = { ...(await joiningMemberSpec(services, context, init)), restartPolicy: { name: 'no', maximumRetryCount: 0 } as const };
  await runtime.create(spec);
  let failures = 0;
  let isShown = false;
  for (let look = looks.first; ; look = Math.min(looks.longest, look * 2)) {
    const { state, ...rest } = await observe(services, context, init);
    if (state.status === 'created') {
      await runtime.start(init.uuid, signal);
    } else if (hasEnded(state.status)) {
      await recordMember(services, context, init, { state, ...rest });
      if (state.exitCode === 0) return;
      failures += 1;
      if (failures > retriesOf(init))
        throw new RuntimeFault('failed', `Init container ${init.name} ended with exit code ${state.exitCode}.`);
      await clock.sleep(Math.min(retries.longest, retries.first * 2 ** (failures - 1)), signal);
      signal.throwIfAborted();
      await runtime.start(init.uuid, signal);
      look = looks.first;
    } else if (!isShown) {
      await recordMember(services, context, init, { state, ...rest });
      isShown = true;
    }
    if (clock.now() >= deadline)
      throw new RuntimeFault('timeout', `Init container ${init.name} did not end within ${initDeadlineSeconds} seconds.`);
    await clock.sleep(look, signal);
    signal.throwIfAborted();
  }
}

async function observe({ runtime, clock }: CapsuleServices, { signal }: CapsuleContext, init: Container): Promise<WorkloadObservation> {
  const observation = await lookPatiently(clock, signal, () => runtime.inspect(init.uuid, signal));
  if (!observation) throw new RuntimeFault('not-found', `Init container ${init.name} is gone from its node.`);
  return observation;
}

const hasEnded = (status: WorkloadObservation['state']['status']): boolean =>
  status === 'exited' || status === 'dead' || status === 'removing';
