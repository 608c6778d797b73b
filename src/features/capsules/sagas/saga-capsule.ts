import { containerNotFound } from '../../../errors/catalogue.ts';
import type { SagaContext } from '../../../tasks/saga.ts';
import type { RequestedNetwork } from '../../containers/requested-network.ts';
import type { WholeCapsule } from '../capsule.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { capsuleByUuid } from '../capsule-store.ts';

/** What the steps that make a capsule need of their task's payload. */
export interface CapsulePayload {
  networks: RequestedNetwork[];
  /** GiB of volumes to be made, by `volume.uuid`. */
  newVolumes: Record<string, number>;
  /** There is no column for it. */
  readOnlyMounts: { volumeUuid: string; containerUuid: string; destination: string }[];
}

export type CapsuleContext = SagaContext<CapsulePayload>;

/** The capsule a task works on; it is there as long as its task is, unless somebody removed it by hand. */
export async function capsuleOfTask(
  services: Pick<CapsuleServices, 'database'>,
  context: Pick<SagaContext, 'task'>,
): Promise<WholeCapsule> {
  const whole = await capsuleByUuid(services.database.queries, context.task.subject);
  if (!whole) throw containerNotFound(context.task.subject);
  return whole;
}
