import type { Saga } from '../../../tasks/saga.ts';
import { checkLimitQuota, claimLimits } from '../claim-limits.ts';
import { type ContainerPatch, changesLimits, runtimeLimits } from '../container-patch.ts';
import type { ContainerServices } from '../container-services.ts';
import { updateContainer } from '../container-store.ts';
import { keepWithReason } from './keep-with-reason.ts';
import { containerOf } from './prepare-workload.ts';

export interface ResizePayload {
  patch: ContainerPatch;
  /** What the row says of everything that a patch may change. */
  previous: Required<ContainerPatch>;
}

export const resizeDeadlineSeconds = 120;

/** Claim, engine, row, as a PATCH does it. A failure takes back what was done, and the container stays what it was. */
export function resizeSaga(services: ContainerServices): Saga<ResizePayload> {
  const { runtime, clock } = services;
  return {
    kind: 'container.resize',
    deadlineSeconds: resizeDeadlineSeconds,
    steps: [
      {
        name: 'claim resources',
        async run(context) {
          if (changesLimits(context.payload.patch))
            await claimLimits(services, await containerOf(services, context), context.payload.patch);
        },
        async undo(context) {
          const { patch, previous } = context.payload;
          if (changesLimits(patch)) await claimLimits(services, await containerOf(services, context), previous);
        },
      },
      {
        name: 'change limits',
        async run({ task, payload, signal }) {
          if (changesLimits(payload.patch)) await runtime.update(task.subject, runtimeLimits(payload.patch), signal);
        },
        async undo({ task, payload, signal }) {
          if (changesLimits(payload.patch)) await runtime.update(task.subject, runtimeLimits(payload.previous), signal);
        },
      },
      {
        name: 'record limits',
        async run(context) {
          const { patch, previous } = context.payload;
          const container = await containerOf(services, context);
          await context.write(async (queries) => {
            await checkLimitQuota(services, queries, { ...container, ...previous }, patch);
            await updateContainer(queries, container.uuid, patch, clock.now());
          });
        },
        undo: async ({ task, payload, write }) => {
          await write((queries) => updateContainer(queries, task.subject, payload.previous, clock.now()));
        },
      },
    ],
    failed: (queries, { task }, reason) => keepWithReason(services, queries, task.subject, `Resize failed: ${reason}`),
  };
}
