import { anonymousContext } from '../../api/request-context.ts';
import type { ContainerServices } from './container-services.ts';
import { containerByUuid } from './container-store.ts';
import { enqueueAction } from './enqueue-action.ts';
import { type ResizePayload, resizeDeadlineSeconds } from './sagas/resize.ts';

/** Queues a task that sets claim and engine to what the container's row says, after a change of limits that could not be taken back. */
export async function restoreLimits(services: ContainerServices, uuid: string): Promise<void> {
  await services.database.transaction(async (queries) => {
    const row = await containerByUuid(queries, uuid);
    if (!row) return;
    const { name, cpu, memory, autoHeal, userId, projectId } = row;
    const payload: ResizePayload = { patch: { cpu, memory }, previous: { name, cpu, memory, autoHeal } };
    const context = { ...anonymousContext(services.ids.requestId()), userId, projectId };
    const task = { kind: 'container.resize', action: null, payload, deadlineSeconds: resizeDeadlineSeconds };
    await enqueueAction(services, queries, context, row, task);
  });
  services.taskSignal.wake();
}
