import type { Operation } from '../../../api/operation.ts';
import type { ContainerServices } from '../container-services.ts';
import { lifecycleDeadlineSeconds } from '../sagas/container-sagas.ts';
import { lifecycleOperation } from './lifecycle.ts';

/** Starts a container. */
export const start = (services: ContainerServices): Operation =>
  lifecycleOperation(services, {
    name: 'start',
    changes: { taskState: 'container_starting' },
    deadlineSeconds: () => lifecycleDeadlineSeconds,
  });
