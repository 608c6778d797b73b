import { isFault } from '../../../runtime/runtime-fault.ts';
import type { Saga, Step } from '../../../tasks/saga.ts';
import { updateContainer } from '../../containers/container-store.ts';
import { releasePorts } from '../../containers/network-interfaces.ts';
import { settleFailure } from '../../containers/sagas/lifecycle.ts';
import { membersOf, type WholeCapsule } from '../capsule.ts';
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
  const { networking, volumes, database } = services;
  return {
    kind: 'capsule.delete',
    deadlineSeconds: 600,
    steps: [
      ...removalSteps(services),
      { name: 'release ports', run: ({ task }) => releasePorts(networking, task.subject, new Set()) },
      {
        name: 'detach volumes',
        async run(context) {
          const members = membersOf(await capsuleOfTask(services, context));
          for (const { cinderVolumeId, autoRemove } of await volumesOfMembers(database.queries, members)) {
            if (!cinderVolumeId) continue;
            await volumes.detach(cinderVolumeId, context.task.subject, context.signal);
            if (autoRemove) await volumes.delete(cinderVolumeId, context.task.projectId, context.signal);
          }
        },
      },
      { name: 'release allocation', run: ({ task }) => services.scheduler.release(task.subject) },
    ],
    succeeded: (queries, { task }) => deleteCapsule(queries, task.subject),
    failed: (queries, { task }, reason) => settleFailure(services, queries, task.subject, reason, { status: 'Error', taskState: null }),
  };
}

/** By how the runtime holds a capsule: as one object, or container by container around a sandbox. */
function removalSteps(services: CapsuleServices): Step<object>[] {
  const { runtime } = services;
  if (runtime.capsules)
    return [
      stopStep(services, 'stop capsule', ({ capsule }) => [capsule]),
      { name: 'remove capsule', run: ({ task, signal }) => runtime.remove(task.subject, signal) },
    ];
  return [
    stopStep(services, 'stop containers', membersOf),
    {
      name: 'remove containers',
      run: async (context) => removeMembers(services, membersOf(await capsuleOfTask(services, context)), context.signal),
    },
    // After the containers in it: Podman removes no container that another one depends on.
    { name: 'remove sandbox', run: ({ task, signal }) => runtime.remove(task.subject, signal) },
  ];
}

/** Says that the capsule is being deleted, and ends what is to be ended, all at a time. */
function stopStep(services: CapsuleServices, name: string, subjects: (whole: WholeCapsule) => { uuid: string }[]): Step<object> {
  const { runtime, clock, settings } = services;
  return {
    name,
    async run(context) {
      const whole = await capsuleOfTask(services, context);
      const changes = { status: 'Deleting', taskState: 'container_deleting' } as const;
      await context.write((queries) => updateContainer(queries, context.task.subject, changes, clock.now()));
      const stop = ({ uuid }: { uuid: string }) =>
        runtime.stop(uuid, settings.stopGraceSeconds, context.signal).catch((error) => {
          if (!isFault(error, 'not-found', 'conflict')) throw error;
        });
      await Promise.all(subjects(whole).map(stop));
    },
  };
}
