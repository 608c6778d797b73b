import type { Saga } from '../../../tasks/saga.ts';
import { settleFailure } from '../../containers/sagas/lifecycle.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { inspectCapsule } from '../observed-capsule.ts';
import { repairPlan } from '../repair-plan.ts';
import { observeStep, writeObservations } from './observe.ts';
import { capsuleOfTask } from './saga-capsule.ts';

/** Starts a capsule's sandbox if it does not run, and again what has lost its network. There is nothing to undo. */
export function repairSaga(services: CapsuleServices): Saga<object> {
  const { runtime, settings } = services;
  return {
    kind: 'capsule.repair',
    deadlineSeconds: 120,
    steps: [
      { name: 'start sandbox', run: async ({ task, signal }) => void (await runtime.start(task.subject, signal)) },
      {
        name: 'restart containers',
        async run(context) {
          const whole = await capsuleOfTask(services, context);
          const uuids = repairPlan(whole, await inspectCapsule(runtime, whole, context.signal));
          await Promise.all(uuids.map((uuid) => runtime.restart(uuid, settings.stopGraceSeconds, context.signal)));
        },
      },
      observeStep(services),
    ],
    succeeded: (queries, context) => writeObservations(services, queries, context),
    failed: (queries, { task }, reason) => settleFailure(services, queries, task.subject, reason),
  };
}
