import type { Operation } from '../../../api/operation.ts';
import type { ContainerServices } from '../container-services.ts';
import { lifecycleDeadlineSeconds } from '../sagas/container-sagas.ts';
import { lifecycleOperation } from './lifecycle.ts';

/** Freezes a container's processes. */
export const pause = (services: ContainerServices): Operation =>
  lifecycleOperation(services, {
    name: 'pause',
    changes: { taskState: 'container_pausing' },
    deadlineSeconds: () => lifecycleDeadlineSeconds,
  });
