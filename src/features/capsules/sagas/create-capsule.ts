import type { CapsuleRuntime, CapsuleSpec, WorkloadSpec } from '../../../runtime/container-runtime.ts';
import type { Step } from '../../../tasks/saga.ts';
import type { Container } from '../../containers/container.ts';
import { updateContainer } from '../../containers/container-store.ts';
import { imageToPull } from '../../containers/pull-image.ts';
import { workloadSpec } from '../../containers/workload-spec.ts';
import type { WholeCapsule } from '../capsule.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { interfacesOfCapsule } from './interfaces-of-capsule.ts';
import { memberSpec } from './member-workload.ts';
import { type CapsuleContext, type CapsulePayload, capsuleOfTask } from './saga-capsule.ts';

/** Makes the capsule as one object of the runtime, which runs nothing yet and brings its images when it starts. Undo removes it. */
export function createCapsuleStep(services: CapsuleServices, capsules: CapsuleRuntime): Step<CapsulePayload> {
  return {
    name: 'create capsule',
    async run(context) {
      const changes = { taskState: 'container_creating' } as const;
      await context.write((queries) => updateContainer(queries, context.task.subject, changes, services.clock.now()));
      await capsules.create(await capsuleSpec(services, context, await capsuleOfTask(services, context)));
    },
    undo: ({ task, signal }) => services.runtime.remove(task.subject, signal),
  };
}

async function capsuleSpec(services: CapsuleServices, context: CapsuleContext, whole: WholeCapsule): Promise<CapsuleSpec> {
  const { capsule, initContainers, containers } = whole;
  const networks = await interfacesOfCapsule(services, capsule.uuid);
  // The capsule's own policy is what was asked for; its containers', one and the same for all, is what holds.
  const [first = capsule] = containers;
  const { restartPolicy } = workloadSpec(first, { image: '', imagePull: null, mounts: [], networks: [] });
  return {
    uuid: capsule.uuid,
    projectId: capsule.projectId,
    host: capsule.host,
    hostname: capsule.hostname,
    labels: capsule.labels ?? {},
    restartPolicy,
    networks,
    initContainers: await Promise.all(initContainers.map((member) => spec(services, context, member))),
    containers: await Promise.all(containers.map((member) => spec(services, context, member))),
  };
}

async function spec(services: CapsuleServices, context: CapsuleContext, member: Container): Promise<WorkloadSpec> {
  // Not kept with the task: it may hold a password.
  const { reference, imagePull } = await imageToPull(services, member);
  return memberSpec(services, context, member, { image: reference, imagePull });
}
