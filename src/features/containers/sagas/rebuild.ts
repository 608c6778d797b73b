import type { Saga } from '../../../tasks/saga.ts';
import type { ContainerServices } from '../container-services.ts';
import { startStep } from './create.ts';
import { recordObservation, settleFailure } from './lifecycle.ts';
import { attachVolumesStep, createWorkloadStep, preparePortsStep, pullImageStep, type WorkloadPayload } from './prepare-workload.ts';

export interface RebuildPayload extends WorkloadPayload {
  /** The container ran before and shall run again. */
  run: boolean;
}

/**
 * Puts a new workload in place of the old one, with the same ports and volumes. The image is pulled first: when that
 * fails, the old workload is still there. A failed rebuild keeps ports and volumes, so that it can be tried again.
 */
export function rebuildSaga(services: ContainerServices): Saga<RebuildPayload> {
  const withoutUndo = <Step extends { name: string; run: unknown }>({ name, run }: Step) => ({ name, run }) as Pick<Step, 'name' | 'run'>;
  return {
    kind: 'container.rebuild',
    deadlineSeconds: 1800,
    steps: [
      withoutUndo(attachVolumesStep(services)),
      withoutUndo(pullImageStep(services)),
      { name: 'remove old workload', run: ({ task, signal }) => services.runtime.remove(task.subject, signal) },
      withoutUndo(preparePortsStep(services)),
      createWorkloadStep(services),
      {
        name: 'record workload',
        run: (context) =>
          recordObservation(services, context, { status: 'Created', ...(context.payload.run ? { taskState: 'container_starting' } : {}) }),
      },
      startStep(services),
    ],
    failed: (queries, { task }, reason) => settleFailure(services, queries, task.subject, reason),
  };
}
