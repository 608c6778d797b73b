import { isFault } from '../../../runtime/runtime-fault.ts';
import type { Saga } from '../../../tasks/saga.ts';
import { updateContainer } from '../../containers/container-store.ts';
import { releasePorts } from '../../containers/network-interfaces.ts';
import { settleFailure } from '../../containers/sagas/lifecycle.ts';
import { membersOf } from '../capsule.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { deleteCapsule } from '../capsule-store.ts';
import { volumesOfMembers } from '../capsule-volume-store.ts';
import { removeMembers } from './member-workload.ts';
import { capsuleOfTask } from './saga-capsule.ts';

/**
 * Takes a capsule away with everything that was made for it; what is already gone counts as done. Its containers get the usual time to
 * end, all at a time (the original ends them one after another). A failure leaves the capsule in Error with the reason, and the delete
 * can be asked again. Origin: zun/container/docker/driver.py, delete_capsule.
 */
export function deleteSaga(services: CapsuleServices): Saga<object> {
  const { runtime, networking, volumes, database, clock, settings } = services;
  return {
    kind: 'capsule.delete',
    deadlineSeconds: 600,
    steps: [
      {
        name: 'stop containers',
        async run(context) {
          const whole = await capsuleOfTask(services, context);
          const changes = { status: 'Deleting', taskState: 'container_deleting' } as const;
          await context.write((queries) => updateContainer(queries, context.task.subject, changes, clock.now()));
          const stop = ({ uuid }: { uuid: string }) =>
            runtime.stop(uuid, settings.stopGraceSeconds, context.signal).catch((error) => {
              if (!isFault(error, 'not-found', 'conflict')) throw error;
            });
          await Promise.all(membersOf(whole).map(stop));
        },
      },
      {
        name: 'remove containers',
        run: async (context) => removeMembers(services, membersOf(await capsuleOfTask(services, context)), context.signal),
      },
      // After the containers in it: Podman removes no container that another one depends on.
      { name: 'remove sandbox', run: ({ task, signal }) => runtime.remove(task.subject, signal) },
      { name: 'release ports', run: ({ task }) => releasePorts(networking, task.subject, new Set()) },
      {
        name: 'detach volumes',
        async run(context) {
          const members = membersOf(await capsuleOfTask(services, context));
          for (const { cinderVolumeId, autoRemove } of await volumesOfMembers(database.queries, members)) {
            if (!cinderVolumeId) continue;
            await volumes.detach(cinderVolumeId, context.task.subject, context.signal);
            if (autoRemove) await volumes.delete(cinderVolumeId, context.signal);
          }
        },
      },
      { name: 'release allocation', run: ({ task }) => services.scheduler.release(task.subject) },
    ],
    succeeded: (queries, { task }) => deleteCapsule(queries, task.subject),
    failed: (queries, { task }, reason) => settleFailure(services, queries, task.subject, reason, { status: 'Error', taskState: null }),
  };
}
