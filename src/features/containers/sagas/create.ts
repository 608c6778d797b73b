import { isTransient } from '../../../tasks/transient.ts';
import { KeepWhatIsDone } from '../../../tasks/keep-what-is-done.ts';
import type { Saga, Step } from '../../../tasks/saga.ts';
import type { ContainerServices } from '../container-services.ts';
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
      holdAllocationStep(services),
      createVolumesStep(services),
      attachVolumesStep(services),
      checkDiskStep(services),
      pullImageStep(services),
      preparePortsStep(services),
      createWorkloadStep(services),
      {
        name: 'record workload',
        async run(context) {
          context.data.created = true;
          await recordObservation(services, context, context.payload.run ? { taskState: 'container_starting' } : {});
        },
      },
      startStep(services),
    ],
    async failed(queries, context, reason) {
      const created = context.data.created === true;
      if (!created) await deleteContainerVolumes(queries, context.task.subject);
      await settleFailure(services, queries, context.task.subject, reason, created ? {} : { addresses: {} });
    },
  };
}

/** The claim was made before the task; undo gives it back, so that a failed create holds no capacity. */
function holdAllocationStep(services: ContainerServices): Step<CreatePayload> {
  return {
    name: 'hold allocation',
    run: async () => {},
    undo: ({ task }) => services.scheduler.release(task.subject),
  };
}

/** Starts the workload where that was asked for. A failed start keeps the workload: it can be started again, or deleted. */
export function startStep(services: ContainerServices): Step<{ run: boolean }> {
  return {
    name: 'start workload',
    async run(context) {
      if (!context.payload.run) return;
      try {
        await services.runtime.start(context.task.subject, context.signal);
      } catch (error) {
        if (isTransient(error) || context.signal.aborted || !(error instanceof Error)) throw error;
        throw new KeepWhatIsDone(error);
      }
      await recordObservation(services, context, { startedAt: services.clock.now() });
    },
  };
}

