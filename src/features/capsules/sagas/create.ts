import type { Saga, Step } from '../../../tasks/saga.ts';
import { updateContainer } from '../../containers/container-store.ts';
import { settleFailure } from '../../containers/sagas/lifecycle.ts';
import { membersOf } from '../capsule.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { capsuleByUuid } from '../capsule-store.ts';
import { awaitContainersStep } from './await-containers.ts';
import { awaitInitContainersStep } from './await-init-containers.ts';
import { createCapsuleStep } from './create-capsule.ts';
import { initDeadlineSeconds } from './init-deadline.ts';
import { observeStep, writeObservations } from './observe.ts';
import { attachVolumesStep, createVolumesStep, holdClaimsStep, preparePortsStep, pullImagesStep } from './prepare-capsule.ts';
import { runInitContainersStep } from './run-init-containers.ts';
import type { CapsulePayload } from './saga-capsule.ts';
import { startCapsuleStep } from './start-capsule.ts';
import { startContainersStep } from './start-containers.ts';
import { startSandboxStep } from './start-sandbox.ts';

/** What the task of a create carries. */
export type CreateCapsulePayload = CapsulePayload;

/** From the request to giving up: as for a container, and an hour for each init container. */
export const createDeadlineSeconds = (initContainers: number): number => 1800 + initContainers * initDeadlineSeconds;

/**
 * Volumes, images, port, sandbox, init containers one after another, containers. A failure leaves nothing but the rows: the capsule in
 * Error with the reason, an init container as it ended, the others as they were asked for. The original leaves sandbox, port and claim
 * behind then, for ever. Origin: zun/container/docker/driver.py, create_capsule.
 */
export function createSaga(services: CapsuleServices): Saga<CreateCapsulePayload> {
  return {
    kind: 'capsule.create',
    deadlineSeconds: createDeadlineSeconds(0),
    steps: createSteps(services),
    succeeded: (queries, context) => writeObservations(services, queries, context),
    async failed(queries, { task }, reason) {
      const whole = await capsuleByUuid(queries, task.subject);
      if (!whole) return;
      const now = services.clock.now();
      for (const member of membersOf(whole)) {
        // What ran is removed.
        const status = member.status === 'Running' || member.status === 'Restarting' ? 'Stopped' : member.status;
        if (member.containerId !== null) await updateContainer(queries, member.uuid, { status, containerId: null }, now);
      }
      // One whose delete is queued goes on saying so: this failure may be the delete's own doing.
      const { status, taskState } = whole.capsule;
      const end = taskState === 'container_deleting' ? { status, taskState } : ({ status: 'Error', taskState: null } as const);
      await settleFailure(services, queries, task.subject, reason, { ...end, containerId: null });
    },
  };
}

/** By how the runtime holds a capsule: as one object, whose start brings the rest about, or container by container around a sandbox. */
function createSteps(services: CapsuleServices): Step<CreateCapsulePayload>[] {
  const { capsules } = services.runtime;
  const volumes = [holdClaimsStep(services), createVolumesStep(services), attachVolumesStep(services)];
  if (capsules)
    return [
      ...volumes,
      preparePortsStep(services),
      createCapsuleStep(services, capsules),
      startCapsuleStep(services),
      awaitInitContainersStep(services),
      awaitContainersStep(services),
      observeStep(services),
    ];
  return [
    ...volumes,
    pullImagesStep(services),
    preparePortsStep(services),
    startSandboxStep(services),
    runInitContainersStep(services),
    startContainersStep(services),
    observeStep(services),
  ];
}
