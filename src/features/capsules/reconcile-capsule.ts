import type { WorkloadObservation } from '../../runtime/container-runtime.ts';
import type { HostLoss } from '../../sync/lost-host.ts';
import { inLineWith, type Reconciled } from '../../sync/reconciled.ts';
import { updateContainer } from '../containers/container-store.ts';
import { membersOf, type WholeCapsule } from './capsule.ts';
import type { CapsuleServices } from './capsule-services.ts';
import { capsuleByUuid, capsuleOf, capsulePages } from './capsule-store.ts';
import { type CapsuleObservations, inspectCapsule, mayBeLost, observedCapsule } from './observed-capsule.ts';

/** Looks at a capsule again so often when a task wrote its rows between the look and the write. */
const looks = 5;

/**
 * Brings the rows of a capsule in line with the engine, given the uuid of the capsule or of a container in it; `null` for any other
 * uuid. One inspection of each workload, one write for each row that differs. Rows whose task runs are the task's.
 */
export async function reconcileCapsule(services: CapsuleServices, uuid: string, signal: AbortSignal): Promise<Reconciled | null> {
  const { queries } = services.database;
  const capsuleUuid = await capsuleOf(queries, uuid);
  if (capsuleUuid === null) return null;
  for (let look = 0; look < looks; look += 1) {
    const before = await capsuleByUuid(queries, capsuleUuid);
    if (!before) return 'settled';
    if (before.capsule.taskState !== null || (isBeingMade(before) && (await services.tasks.isBusy(queries, capsuleUuid)))) return 'busy';
    const observations = await inspectCapsule(services.runtime, before, signal);
    if (await write(services, before, observations)) return inLineWith(Object.values(observations));
  }
  return 'busy';
}

/** The uuids of a host's capsules, of all hosts' for `null`, that a complete listing contradicts. Two queries a page. */
export async function differingCapsules(
  services: CapsuleServices,
  host: string | null,
  observations: WorkloadObservation[],
): Promise<string[]> {
  const seen: CapsuleObservations = Object.fromEntries(observations.map((observation) => [observation.uuid, observation]));
  const now = services.clock.now();
  const { queries } = services.database;
  let losses: ReadonlyMap<string, HostLoss> | null = null;
  const differing: string[] = [];
  for await (const capsules of capsulePages(queries, host)) {
    if (losses === null && capsules.some((whole) => mayBeLost(whole, seen))) losses = await services.hostLosses(queries);
    for (const whole of capsules) {
      const changes = observedCapsule(whole, seen, now, losses?.get(whole.capsule.host ?? ''));
      if (Object.keys(changes).length > 0) differing.push(whole.capsule.uuid);
    }
  }
  return differing;
}

/** A create has no task state, as in the original; its capsule is Created before the containers are there. */
const isBeingMade = (whole: WholeCapsule): boolean => membersOf(whole).some(({ status }) => status === 'Creating');

/** `false` when the capsule was written since it was looked at. */
function write(services: CapsuleServices, before: WholeCapsule, observations: CapsuleObservations): Promise<boolean> {
  return services.database.transaction(async (queries) => {
    const whole = await capsuleByUuid(queries, before.capsule.uuid);
    if (!whole) return true;
    if (whole.capsule.taskState !== null || whole.capsule.updatedAt !== before.capsule.updatedAt) return false;
    const now = services.clock.now();
    const loss = mayBeLost(whole, observations) ? (await services.hostLosses(queries)).get(whole.capsule.host ?? '') : null;
    for (const [uuid, changes] of Object.entries(observedCapsule(whole, observations, now, loss)))
      await updateContainer(queries, uuid, changes, now);
    return true;
  });
}
