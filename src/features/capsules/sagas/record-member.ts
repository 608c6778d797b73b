import type { WorkloadObservation } from '../../../runtime/container-runtime.ts';
import type { Container } from '../../containers/container.ts';
import { updateContainer } from '../../containers/container-store.ts';
import { observedChanges } from '../../containers/observed-changes.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import type { CapsuleContext } from './saga-capsule.ts';

/** The row of a capsule's container says, while its task runs, what the engine says. */
export async function recordMember(
  services: Pick<CapsuleServices, 'clock'>,
  context: Pick<CapsuleContext, 'write'>,
  member: Container,
  observation: WorkloadObservation,
): Promise<void> {
  const now = services.clock.now();
  const changes = observedChanges(member, observation, now, { force: true });
  await context.write((queries) => updateContainer(queries, member.uuid, changes, now));
}
