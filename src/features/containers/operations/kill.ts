import type { Operation } from '../../../api/operation.ts';
import type { ContainerServices } from '../container-services.ts';
import { lifecycleDeadlineSeconds } from '../sagas/container-sagas.ts';
import { lifecycleOperation } from './lifecycle.ts';

/** Sends a signal to a container's main process; SIGKILL when none is named. */
export const kill = (services: ContainerServices): Operation =>
  lifecycleOperation(services, {
    name: 'kill',
    changes: { taskState: 'container_killing' },
    payload: (request) => {
      const { signal } = request.params;
      return { signalName: typeof signal === 'string' && signal !== 'None' ? signal : 'SIGKILL' };
    },
    deadlineSeconds: () => lifecycleDeadlineSeconds,
  });
