import type { Operation } from '../../../api/operation.ts';
import type { ContainerServices } from '../container-services.ts';
import { graceSeconds } from '../grace-seconds.ts';
import { lifecycleDeadlineSeconds } from '../sagas/container-sagas.ts';
import { lifecycleOperation } from './lifecycle.ts';

/** Stops a container; its filesystem and logs stay. `timeout` is the grace period in seconds. */
export const stop = (services: ContainerServices): Operation =>
  lifecycleOperation(services, {
    name: 'stop',
    changes: { taskState: 'container_stopping' },
    payload: (request) => ({ graceSeconds: graceSeconds(request, services.settings.stopGraceSeconds) }),
    deadlineSeconds: (payload) => lifecycleDeadlineSeconds + ('graceSeconds' in payload ? Number(payload.graceSeconds) : 0),
  });
