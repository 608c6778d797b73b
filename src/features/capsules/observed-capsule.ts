import type { ContainerRuntime, WorkloadObservation } from '../../runtime/container-runtime.ts';
import type { HostLoss } from '../../sync/lost-host.ts';
import type { Container, ContainerChanges } from '../containers/container.ts';
import { observedChanges } from '../containers/observed-changes.ts';
import { membersOf, type WholeCapsule } from './capsule.ts';
import { capsuleStatus } from './capsule-status.ts';

/** By the uuid of the capsule (its sandbox) and of its containers; absent = the engine answers and has no such workload. */
export type CapsuleObservations = Record<string, WorkloadObservation>;

/** Asks the engine for the sandbox and every container, all at a time. */
export async function inspectCapsule(runtime: ContainerRuntime, whole: WholeCapsule, signal: AbortSignal): Promise<CapsuleObservations> {
  const uuids = [whole.capsule, ...membersOf(whole)].map(({ uuid }) => uuid);
  const seen = await Promise.all(uuids.map((uuid) => runtime.inspect(uuid, signal)));
  return Object.fromEntries(seen.flatMap((observation) => (observation ? [[observation.uuid, observation]] : [])));
}

/**
 * What the rows of a capsule should say after the engine was asked: changes by uuid, only for rows that differ. A capsule whose task
 * runs is the task's; one that has nothing on its node (not made yet, failed, being deleted) stays as it is. `loss` is its host's. Pure.
 */
export function observedCapsule(
  whole: WholeCapsule,
  observations: CapsuleObservations,
  now: number,
  loss: HostLoss | null = null,
): Record<string, ContainerChanges> {
  const { capsule } = whole;
  const sandbox = observations[capsule.uuid] ?? null;
  if (capsule.taskState !== null || (sandbox === null && (capsule.containerId === null || capsule.status === 'Error'))) return {};
  const own = observedChanges(capsule, sandbox, now, { force: false, loss });
  const changes: Record<string, ContainerChanges> = {};
  const seen = (member: Container): Container => {
    const change = observedChanges(member, observations[member.uuid] ?? null, now, { force: false, loss });
    if (differs(member, change)) changes[member.uuid] = change;
    return { ...member, ...change };
  };
  whole.initContainers.forEach(seen);
  const containers = whole.containers.map(seen);
  const isSeen = sandbox !== null && sandbox.state.status !== 'unknown' && loss?.kind !== 'declared';
  const change = !isSeen ? own : { ...own, ...capsuleStatus(sandbox.state, containers) };
  if (differs(capsule, change)) changes[capsule.uuid] = change;
  return changes;
}

/** Whether it matters if the host of the capsule is lost; nobody asks otherwise. */
export function mayBeLost(whole: WholeCapsule, observations: CapsuleObservations): boolean {
  return [whole.capsule, ...membersOf(whole)].some(
    ({ uuid, status }) => status === 'Unknown' || observations[uuid]?.state.status === 'unknown',
  );
}

function differs(row: Container, changes: ContainerChanges): boolean {
  return Object.entries(changes).some(([field, value]) => JSON.stringify(value) !== JSON.stringify(row[field as keyof Container]));
}
