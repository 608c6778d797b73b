import type { ContainerServices } from '../container-services.ts';
import { updateContainer } from '../container-store.ts';

/**
 * The end of an action that failed and left the container what it was: its status stays, the reason is shown, and no task is
 * under way. The action itself says Error.
 */
export async function keepWithReason(
  services: Pick<ContainerServices, 'clock'>,
  queries: Parameters<typeof updateContainer>[0],
  uuid: string,
  reason: string,
): Promise<void> {
  await updateContainer(queries, uuid, { statusReason: reason, taskState: null }, services.clock.now());
}
