import type { Snapshot, SnapshotRow } from './snapshot.ts';
import type { World } from './world.ts';

const engineStatuses: Record<string, string> = { running: 'Running', paused: 'Paused' };

/** What holds when all is well and nobody has anything to do: rows, workloads, ports, attachments and allocations agree. */
export async function restViolations(world: World, now: Snapshot): Promise<string[]> {
  const { rows, tasks, allocations } = now;
  const statuses = new Map(now.workloads.map(({ workload }) => [workload.uuid, workload.state.status as string]));
  return [
    ...tasks.map(({ id, kind, subject }) => `${kind} #${id} of ${subject} has not ended`),
    ...[...allocations.keys()].filter((consumer) => !rows.has(consumer)).map((consumer) => `the allocation of ${consumer} is nobody's`),
    ...[...rows.values()].flatMap((row) => untrue(row, statuses.get(row.uuid), now)),
    ...(await heldByNothing(world, now)),
    ...(await untrueLimits(world, now)),
    ...(await openActions(world)),
  ];
}

function untrue(row: SnapshotRow, state: string | undefined, { ports, allocations }: Snapshot): string[] {
  const about = `${row.uuid} (type ${row.type}, ${row.status}: ${row.statusReason}; its workload ${state ?? 'is not there'})`;
  // Every host is there again.
  if (row.status === 'Unknown') return [`${about}: it is still Unknown`];
  if (row.type !== 0) return [];
  const shouldBe = engineStatuses[state ?? ''];
  const held = [...ports].filter(([, holder]) => holder === row.uuid).map(([id]) => id);
  const claim = allocations.get(row.uuid);
  const isMissing = state === undefined && ['Created', 'Running', 'Stopped', 'Paused'].includes(row.status);
  const isWrong = shouldBe === undefined ? Object.values(engineStatuses).includes(row.status) : row.status !== shouldBe;
  return [
    ...(isMissing || isWrong ? [`${about}: that is not so`] : []),
    ...(held.some((id) => !row.ports.includes(id)) ? [`${about}: it holds ports that it does not show`] : []),
    ...(state !== undefined && row.ports.some((id) => !held.includes(id)) ? [`${about}: it shows ports that it does not hold`] : []),
    ...(state !== undefined && (claim?.vcpu !== Math.max(1, Math.ceil(row.cpu)) || claim.memory !== row.memory)
      ? [`${about}: it claims ${JSON.stringify(claim)} and has ${row.cpu} and ${row.memory}`]
      : []),
  ];
}

/** A create that failed before there was a workload holds nothing but its row. */
async function heldByNothing({ observer: { queries } }: World, now: Snapshot): Promise<string[]> {
  const actions = await queries
    .selectFrom('container_actions as own')
    .innerJoin('container_actions_events', 'container_actions_events.action_id', 'own.id')
    .select(['own.container_uuid', 'own.action', 'own.message', 'container_actions_events.event'])
    .execute();
  return [...now.rows.values()].flatMap(({ uuid, type, status }) => {
    const own = actions.filter(({ container_uuid: subject }) => subject === uuid);
    const failed = own.some(({ action, message }) => action === 'create' && message === 'Error');
    const isThere = now.workloads.some(({ workload }) => workload.uuid === uuid);
    // What came as far as a start was there, and may be gone since.
    const wasThere = own.some(({ action, event }) => action === 'rebuild' || event === 'compute__do_container_start');
    if (type > 1 || status !== 'Error' || !failed || isThere || wasThere) return [];
    const about = `${uuid} was never made, and holds`;
    return [
      ...([...now.ports.values()].includes(uuid) ? [`${about} ports`] : []),
      ...(now.allocations.has(uuid) ? [`${about} a claim`] : []),
      ...(now.attachments.includes(uuid) ? [`${about} a volume`] : []),
    ];
  });
}

async function untrueLimits(world: World, { rows, workloads }: Snapshot): Promise<string[]> {
  const violations: string[] = [];
  for (const { node, workload } of workloads) {
    const row = rows.get(workload.uuid);
    if (row?.type !== 0 || workload.state.status !== 'running') continue;
    const stats = await world.cluster.nodes.find(({ name }) => name === node)?.engine.stats(workload.uuid);
    const memory = (stats?.memoryLimitBytes ?? 0) / 1024 / 1024;
    if (memory !== row.memory) violations.push(`${workload.uuid}: the engine gives it ${memory} MiB, its row says ${row.memory}`);
  }
  return violations;
}

async function openActions({ observer: { queries } }: World): Promise<string[]> {
  const actions = await queries.selectFrom('container_actions').selectAll().where('finish_time', 'is', null).execute();
  const events = await queries.selectFrom('container_actions_events').selectAll().where('finish_time', 'is', null).execute();
  return [
    ...actions.map(({ action, container_uuid: uuid }) => `the action ${action} of ${uuid} is open`),
    ...events.map(({ event, action_id: action }) => `the event ${event} of action ${action} is open`),
  ];
}

/** What holds when everything was deleted: nothing is there. */
export async function emptyViolations(world: World, now: Snapshot): Promise<string[]> {
  const { queries } = world.observer;
  const volumes = (await world.engineVolumes.list()).filter(({ name }) => name !== 'existing');
  const mappings = await queries.selectFrom('volume_mapping').select('container_uuid').execute();
  const volumeRows = await queries.selectFrom('volume').select('uuid').execute();
  return [
    ...(await restViolations(world, now)),
    ...[...now.rows.values()].map(({ uuid, status, statusReason }) => `${uuid} (${status}: ${statusReason}) is still there`),
    ...now.workloads.map(({ workload: { uuid } }) => `the workload ${uuid} is still there`),
    ...[...now.ports].map(([id, holder]) => `the port ${id} of ${holder} is still there`),
    ...now.attachments.map((holder) => `an attachment of ${holder} is still there`),
    ...volumes.map(({ name }) => `the volume ${name} is still there`),
    ...mappings.map(({ container_uuid: uuid }) => `a mapping of ${uuid} is still there`),
    ...volumeRows.map(({ uuid }) => `the volume row ${uuid} is still there`),
  ];
}
