import { isFault } from '../../../runtime/runtime-fault.ts';
import type { Saga } from '../../../tasks/saga.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid, deleteContainer, updateContainer } from '../container-store.ts';
import { deleteContainerVolumes, volumesOfContainer } from '../container-volumes.ts';
import { preservedPorts, releasePorts } from '../network-interfaces.ts';
import { settleFailure } from './lifecycle.ts';

export interface DeletePayload {
  /** Seconds to let the container end by itself first; `null` ends it at once. */
  stopGraceSeconds: number | null;
}

/**
 * Takes a container away with everything that was made for it; what is already gone counts as done. A failure
 * leaves the row in Error with the reason, and the delete can be asked again.
 */
export function deleteSaga(services: ContainerServices): Saga<DeletePayload> {
  const { runtime, networking, volumes, database, clock } = services;
  return {
    kind: 'container.delete',
    deadlineSeconds: 600,
    steps: [
      {
        name: 'stop workload',
        async run({ task, payload, signal }) {
          if (payload.stopGraceSeconds === null) return;
          await runtime.stop(task.subject, payload.stopGraceSeconds, signal).catch((error) => {
            if (!isFault(error, 'not-found', 'conflict')) throw error;
          });
        },
      },
      {
        name: 'remove workload',
        async run({ task, signal, write }) {
          await write((queries) =>
            updateContainer(queries, task.subject, { status: 'Deleting', taskState: 'container_deleting' }, clock.now()),
          );
          await runtime.remove(task.subject, signal);
        },
      },
      {
        name: 'release ports',
        async run({ task }) {
          const container = await containerByUuid(database.queries, task.subject);
          await releasePorts(networking, task.subject, preservedPorts(container?.addresses ?? null));
        },
      },
      {
        name: 'detach volumes',
        async run({ task, signal }) {
          for (const volume of await volumesOfContainer(database.queries, task.subject)) {
            if (!volume.cinderVolumeId) continue;
            await volumes.detach(volume.cinderVolumeId, task.subject, signal);
            if (volume.autoRemove) await volumes.delete(volume.cinderVolumeId, task.projectId, signal);
          }
        },
      },
      { name: 'release allocation', run: ({ task }) => services.scheduler.release(task.subject) },
    ],
    async succeeded(queries, { task }) {
      await deleteContainerVolumes(queries, task.subject);
      await deleteContainer(queries, task.subject);
    },
    async failed(queries, { task }, reason) {
      // Cancelled by a delete that does not wait: the row says what that one does.
      if (await services.tasks.isWanted(queries, task.subject, 'container.delete', task)) return;
      await settleFailure(services, queries, task.subject, reason, { status: 'Error', taskState: null });
    },
  };
}
