import type { WorkloadObservation } from '../../../runtime/container-runtime.ts';
import { KeepWhatIsDone } from '../../../tasks/keep-what-is-done.ts';
import type { Saga, Step } from '../../../tasks/saga.ts';
import { isTransient } from '../../../tasks/transient.ts';
import type { ContainerChanges } from '../container.ts';
import type { ContainerServices } from '../container-services.ts';
import { updateContainer } from '../container-store.ts';
import { deleteContainerVolumes } from '../container-volumes.ts';
import { recordObservation, settleFailure } from './lifecycle.ts';
import {
  attachVolumesStep,
  checkDiskStep,
  createVolumesStep,
  createWorkloadStep,
  preparePortsStep,
  pullImageStep,
  type WorkloadPayload,
} from './prepare-workload.ts';
import { earlierStartsSince, startedBefore } from './started-before.ts';

export interface CreatePayload extends WorkloadPayload {
  /** Start the container once it is created. */
  run: boolean;
}

/** Volumes, image, ports, workload, start. A failure before the start leaves nothing but the row in Error. */
export function createSaga(services: ContainerServices): Saga<CreatePayload> {
  return {
    kind: 'container.create',
    deadlineSeconds: 1800,
    steps: [
      holdClaimsStep(services),
      createVolumesStep(services),
      attachVolumesStep(services),
      checkDiskStep(services),
      pullImageStep(services),
      preparePortsStep(services),
      createWorkloadStep(services),
      {
        name: 'record workload',
        async run(context) {
          if (!context.payload.run) return recordObservation(services, context, {});
          // The engine is asked once, after the start.
          const changes: ContainerChanges = { status: 'Created', taskState: 'container_starting' };
          await context.write((queries) => updateContainer(queries, context.task.subject, changes, services.clock.now()));
        },
      },
      startStep(services, 'ends'),
    ],
    failed: (queries, { task }, reason) => settleFailure(services, queries, task.subject, reason),
  };
}

/**
 * The claim on the node and the rows of volumes were made with the request; undo gives them back, so that a failed create holds
 * nothing but its row.
 */
function holdClaimsStep(services: ContainerServices): Step<CreatePayload> {
  return {
    name: 'hold claims',
    run: async () => {},
    async undo({ task, write }) {
      await services.scheduler.release(task.subject);
      await write((queries) => deleteContainerVolumes(queries, task.subject));
    },
  };
}

/**
 * Starts the workload where that was asked for. A failed start keeps the workload: it can be started again, or deleted. The start is
 * an event of its own, before which the one of the action ends, or with which it goes on (wrap_container_event in the original).
 */
export function startStep(services: ContainerServices, before: 'ends' | 'goes on'): Step<{ run: boolean }> {
  return {
    name: 'start workload',
    async run(context) {
      if (!context.payload.run) return;
      const { actionId } = context.task;
      if (actionId !== null)
        await context.write((queries) => services.actions.next(queries, actionId, 'compute__do_container_start', before));
      let seen: WorkloadObservation | null;
      try {
        seen =
          (await startedBefore(services, context)) ??
          (await services.runtime.start(context.task.subject, context.signal, await earlierStartsSince(services, context.task)));
      } catch (error) {
        if (isTransient(error) || context.signal.aborted || !(error instanceof Error)) throw error;
        throw new KeepWhatIsDone(error);
      }
      await recordObservation(services, context, { startedAt: services.clock.now() }, seen);
    },
  };
}
