import { anonymousContext } from '../../api/request-context.ts';
import type { WorkloadObservation } from '../../runtime/container-runtime.ts';
import { changesRow } from '../../sync/container-status.ts';
import { lastKnownStatus } from '../../sync/last-known-status.ts';
import type { HostLoss } from '../../sync/lost-host.ts';
import { inLineWith, type Reconciled } from '../../sync/reconciled.ts';
import { actionsOfContainer } from '../actions/action-store.ts';
import type { Container, ContainerChanges } from './container.ts';
import { containerPages } from './container-pages.ts';
import type { ContainerServices } from './container-services.ts';
import { containerByUuid, updateContainer } from './container-store.ts';
import { enqueueAction } from './enqueue-action.ts';
import { networksOf } from './networks-of.ts';
import { observedChanges } from './observed-changes.ts';
import { ranUntilLost } from './ran-until-lost.ts';
import type { RebuildPayload } from './sagas/rebuild.ts';

/** Looks at a container again so often when a task wrote its row between the look and the write. */
const looks = 5;

/**
 * Brings one row in line with the engine: one inspection, one write if something changed, none otherwise. A row whose task
 * runs is the task's. What the row says decides what a missing workload means: removed by itself, to be rebuilt, or lost.
 */
export async function reconcileContainer(services: ContainerServices, uuid: string, signal: AbortSignal): Promise<Reconciled> {
  for (let look = 0; look < looks; look += 1) {
    const before = await containerByUuid(services.database.queries, uuid);
    if (!before) return 'settled';
    if (before.taskState !== null) return 'busy';
    const observation = await services.runtime.inspect(uuid, signal);
    const settled = await services.database.transaction(async (queries) => {
      const row = await containerByUuid(queries, uuid);
      if (!row) return true;
      if (row.updatedAt !== before.updatedAt || row.taskState !== null) return false;
      const now = services.clock.now();
      const loss = mayBeLost(row, observation) ? ((await services.hostLosses(queries)).get(row.host ?? '') ?? null) : null;
      const changes = observedChanges(row, observation, now, { force: false, loss });
      if (!differs(row, changes)) return true;
      await updateContainer(queries, uuid, changes, now);
      if (observation === null && changes.status !== 'Unknown') await answerLoss(services, queries, row, changes);
      return true;
    });
    if (settled) {
      services.taskSignal.wake();
      return inLineWith([observation]);
    }
  }
  return 'busy';
}

/** UUIDs of a host's rows, of all hosts' for `null`, that a complete listing contradicts, and of rows whose task is gone without having settled them. A query a page. */
export async function differingContainers(
  services: ContainerServices,
  host: string | null,
  observations: WorkloadObservation[],
): Promise<string[]> {
  const observed = new Map(observations.map((observation) => [observation.uuid, observation]));
  const { queries } = services.database;
  const now = services.clock.now();
  let losses: ReadonlyMap<string, HostLoss> | null = null;
  const differing: string[] = [];
  for await (const rows of containerPages(queries, host)) {
    if (losses === null && rows.some((row) => mayBeLost(row, observed.get(row.uuid) ?? null))) losses = await services.hostLosses(queries);
    for (const row of rows) {
      const loss = losses?.get(row.host ?? '') ?? null;
      if (differs(row, observedChanges(row, observed.get(row.uuid) ?? null, now, { force: false, loss }))) differing.push(row.uuid);
    }
  }
  return differing;
}

/** Whether it matters if the host is lost; nobody asks otherwise. */
const mayBeLost = (row: Container, observation: WorkloadObservation | null): boolean =>
  row.status === 'Unknown' || observation?.state.status === 'unknown';

/** Removes what `auto_remove` promised to remove, and rebuilds what `auto_heal` promised to heal. */
async function answerLoss(
  services: ContainerServices,
  queries: Parameters<typeof updateContainer>[0],
  row: Container,
  changes: ContainerChanges,
): Promise<void> {
  const context = { ...anonymousContext(services.ids.requestId()), userId: row.userId, projectId: row.projectId };
  if (changes.status === 'Deleted') {
    await enqueueAction(services, queries, context, row, {
      kind: 'container.delete',
      action: 'delete',
      payload: { stopGraceSeconds: null },
      deadlineSeconds: 600,
      changes: { status: 'Deleting', taskState: 'container_deleting' },
    });
  } else if (row.autoHeal && ['Running', 'Stopped', 'Created', 'Paused'].includes(lastKnownStatus(row))) {
    const [last] = await actionsOfContainer(queries, row.uuid);
    const run = ranUntilLost(row, last?.action ?? null, services.clock.now());
    const payload: RebuildPayload = { run, networks: networksOf(row), newVolumes: {} };
    await enqueueAction(services, queries, context, row, {
      kind: 'container.rebuild',
      action: 'rebuild',
      payload,
      deadlineSeconds: 1800,
      changes: { status: 'Rebuilding', statusReason: null, taskState: 'container_rebuilding' },
    });
  }
}

function differs(row: Container, changes: ContainerChanges): boolean {
  if (Object.keys(changes).length === 0) return false;
  const { status, statusReason, statusDetail, startedAt, containerId, hostname, ports, addresses } = { ...row, ...changes };
  return (
    changesRow(row, { status, statusReason, statusDetail, startedAt }) ||
    containerId !== row.containerId ||
    hostname !== row.hostname ||
    JSON.stringify(ports) !== JSON.stringify(row.ports) ||
    JSON.stringify(addresses) !== JSON.stringify(row.addresses)
  );
}
