import type { Step } from '../../../tasks/saga.ts';
import { updateContainer } from '../../containers/container-store.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import type { CapsulePayload } from './saga-capsule.ts';

/**
 * Starts the capsule: from then on it is Created, and its first container runs. One that has run already, and may have ended, is not
 * started again. Undo is the create's.
 */
export function startCapsuleStep(services: CapsuleServices): Step<CapsulePayload> {
  const { runtime } = services;
  return {
    name: 'start capsule',
    async run({ task, signal, write }) {
      const observation = await runtime.inspect(task.subject, signal);
      if (observation?.state.status === 'created') await runtime.start(task.subject, signal, 0);
      const changes = { status: 'Created', containerId: observation?.engineId ?? null } as const;
      await write((queries) => updateContainer(queries, task.subject, changes, services.clock.now()));
    },
  };
}
