import type { WorkloadObservation } from '../../../runtime/container-runtime.ts';
import type { Container } from '../../containers/container.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { lookPatiently } from './look-patiently.ts';
import type { CapsuleContext } from './saga-capsule.ts';

/** Milliseconds between two looks, from the first, growing to the second. */
const looks = { first: 50, longest: 1000 };

type Seen = WorkloadObservation | null;

/** Looks at a container and its capsule, again and again, until the rule is satisfied or throws. Throws, too, when the task is interrupted. */
export async function untilSeen(
  { runtime, clock }: Pick<CapsuleServices, 'runtime' | 'clock'>,
  { task, signal }: Pick<CapsuleContext, 'task' | 'signal'>,
  member: Pick<Container, 'uuid'>,
  isSatisfied: (seen: Seen, capsule: Seen) => boolean | Promise<boolean>,
): Promise<void> {
  for (let look = looks.first; ; look = Math.min(looks.longest, look * 2)) {
    // The capsule first: a container that ends as the capsule does is not taken for one that never ran.
    const capsule = await lookPatiently(clock, signal, () => runtime.inspect(task.subject, signal));
    const seen = await lookPatiently(clock, signal, () => runtime.inspect(member.uuid, signal));
    if (await isSatisfied(seen, capsule)) return;
    await clock.sleep(look, signal);
    signal.throwIfAborted();
  }
}
