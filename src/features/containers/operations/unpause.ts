import type { Operation } from '../../../api/operation.ts';
import type { ContainerServices } from '../container-services.ts';
import { lifecycleDeadlineSeconds } from '../sagas/container-sagas.ts';
import { lifecycleOperation } from './lifecycle.ts';

/** Lets a paused container go on. */
export const unpause = (services: ContainerServices): Operation =>
  lifecycleOperation(services, {
    name: 'unpause',
    changes: { taskState: 'container_unpausing' },
    deadlineSeconds: () => lifecycleDeadlineSeconds,
  });
