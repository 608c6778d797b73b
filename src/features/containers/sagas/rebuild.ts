import type { Saga, Step } from '../../../tasks/saga.ts';
import { claimLimits } from '../claim-limits.ts';
import type { Container } from '../container.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid, updateContainer } from '../container-store.ts';
import { networksOf } from '../networks-of.ts';
import type { RequestedNetwork } from '../requested-network.ts';
import { startStep } from './create.ts';
import { recordObservation, settleFailure } from './lifecycle.ts';
import {
  attachVolumesStep,
  containerOf,
  createWorkloadStep,
  preparePortsStep,
  pullImageStep,
  type WorkloadPayload,
} from './prepare-workload.ts';

export interface RebuildPayload extends WorkloadPayload {
  /** The container ran before and shall run again. */
  run: boolean;
  /** What the row said before the request changed it. */
  previous?: Pick<Container, 'image' | 'imageDriver'>;
}

export const rebuildDeadlineSeconds = 1800;

/**
 * Puts a new workload in place of the old one, with the same ports and volumes. The image is pulled first: when that fails, the
 * old workload is still there, and the row names its image again. A failed rebuild keeps ports and volumes, so that it can be
 * tried again. The original removes the old workload first.
 */
export function rebuildSaga(services: ContainerServices): Saga<RebuildPayload> {
  return {
    kind: 'container.rebuild',
    deadlineSeconds: rebuildDeadlineSeconds,
    steps: [
      {
        // A create that failed gave its claim back.
        name: 'hold claim',
        run: async (context) => claimLimits(services, await containerOf(services, context), {}),
      },
      withoutUndo(attachVolumesStep(services)),
      withoutUndo(pullImageStep(services)),
      {
        name: 'remove old workload',
        async run(context) {
          const { task, data, signal } = context;
          data.removed = true;
          await context.write((queries) =>
            updateContainer(queries, task.subject, { taskState: 'container_rebuilding' }, services.clock.now()),
          );
          await services.runtime.remove(task.subject, signal);
        },
      },
      {
        ...preparePortsStep(services, networksNow),
        // Ports from before are the container's own; of new ones nobody would know.
        undo: ({ task }) => releaseHiddenPorts(services, task.subject),
      },
      createWorkloadStep(services),
      {
        name: 'record workload',
        run: (context) =>
          recordObservation(services, context, {
            status: 'Created',
            statusReason: null,
            ...(context.payload.run ? { taskState: 'container_starting' } : {}),
          }),
      },
      startStep(services, 'goes on'),
    ],
    async failed(queries, { task, payload, data }, reason) {
      await settleFailure(services, queries, task.subject, reason, data.removed === true ? {} : payload.previous);
    },
  };
}

/**
 * The networks that the container is on when its turn has come: it may have been attached and detached since the request, which names
 * others than those it had (without a port) only for a container that had none.
 */
function networksNow(container: Container, { networks }: WorkloadPayload): RequestedNetwork[] {
  const own = networksOf(container);
  return own.length > 0 ? own : networks.filter(({ portId }) => portId === null);
}

/** Frees the ports that the row does not show: made by this rebuild, of a container that had lost its own, and not yet written. */
async function releaseHiddenPorts({ networking, database }: ContainerServices, uuid: string): Promise<void> {
  const container = await containerByUuid(database.queries, uuid);
  const shown = Object.values(container?.addresses ?? {}).flatMap((addresses) => addresses.map(({ port }) => port));
  for (const { id } of await networking.listPorts(uuid)) if (!shown.includes(id)) await networking.deletePort(id);
}

/** Volumes are the container's own from before: a failed rebuild does not free them. */
function withoutUndo({ name, run }: Step<WorkloadPayload>): Step<WorkloadPayload> {
  return { name, run };
}
