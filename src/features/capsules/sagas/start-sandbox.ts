import type { WorkloadSpec } from '../../../runtime/container-runtime.ts';
import type { Step } from '../../../tasks/saga.ts';
import { updateContainer } from '../../containers/container-store.ts';
import { workloadSpec } from '../../containers/workload-spec.ts';
import type { Capsule } from '../capsule.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { interfacesOfCapsule } from './interfaces-of-capsule.ts';
import { type CapsuleContext, type CapsulePayload, capsuleOfTask } from './saga-capsule.ts';

/** Starts the workload that holds the capsule's namespaces; from then on the capsule is Created. Undo removes it. */
export function startSandboxStep(services: CapsuleServices): Step<CapsulePayload> {
  const { runtime } = services;
  return {
    name: 'start sandbox',
    async run(context) {
      const { capsule } = await capsuleOfTask(services, context);
      await runtime.create(await sandboxSpec(services, context, capsule));
      await runtime.start(capsule.uuid, context.signal);
      const observation = await runtime.inspect(capsule.uuid, context.signal);
      const changes = { status: 'Created', containerId: observation?.engineId ?? null } as const;
      await context.write((queries) => updateContainer(queries, capsule.uuid, changes, services.clock.now()));
    },
    undo: ({ task, signal }) => runtime.remove(task.subject, signal),
  };
}

async function sandboxSpec(services: CapsuleServices, context: CapsuleContext, capsule: Capsule): Promise<WorkloadSpec> {
  const networks = await interfacesOfCapsule(services, capsule.uuid);
  return {
    ...workloadSpec(capsule, { image: String(context.data.sandboxImage), imagePull: null, mounts: [], networks }),
    entrypoint: ['/bin/pause'],
    hostname: null,
    // The row's are the sums of the containers.
    cpu: null,
    memoryMiB: null,
    sharesNamespaces: true,
  };
}
