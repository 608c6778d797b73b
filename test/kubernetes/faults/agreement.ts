import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { V1PersistentVolume, V1PersistentVolumeClaim } from '@kubernetes/client-node';
import type { Queries } from '../../../src/db/database.ts';
import { type KubePod, type KubeSecret, labels, mainContainer } from '../../../src/runtime/kubernetes/kube-object.ts';
import { podSelections } from '../../../src/runtime/kubernetes/networks/network-selections.ts';
import { networkStatus } from '../../../src/runtime/kubernetes/networks/network-status.ts';
import { quantityOf } from '../../../src/runtime/kubernetes/pod/quantity.ts';
import { recordedSpec } from '../../../src/runtime/kubernetes/pod/workload-record.ts';
import { hasEnded } from '../../../src/runtime/kubernetes/state/pod-phase.ts';
import { assertActionsClosed } from '../../bench/leftovers.ts';
import { until } from '../../system/engine/until.ts';
import type { FaultsWorld } from './faults-world.ts';

/** What is in the cluster of one Zun. */
interface Holdings {
  pods: KubePod[];
  records: KubeSecret[];
  /** Of records: logins, contents of mounts. */
  owned: KubeSecret[];
  claims: V1PersistentVolumeClaim[];
}

/** A container of its own, or a capsule. */
interface Row {
  uuid: string;
  status: string;
  taskState: string | null;
  statusReason: string | null;
  cpu: number | null;
  /** By network. */
  addresses: Record<string, unknown>;
}

/**
 * Waits until nothing is under way, and then holds rows, Pods, records, what these own, volumes, ports, claims and actions against each
 * other: they agree, and nothing is without an owner.
 */
export async function assertAgreement(world: FaultsWorld): Promise<void> {
  await world.settled();
  const held = await atRest(world);
  const rows = await rowsOf(world);
  const known = rows.map(({ uuid }) => uuid).toSorted();
  const alive = rows.filter(({ status }) => status !== 'Error').map(({ uuid }) => uuid);
  const workloads = (objects: { metadata?: KubePod['metadata'] }[]) =>
    objects.map(({ metadata }) => metadata?.labels?.[labels.workload] ?? '');
  const recorded = workloads(held.records);
  assert.deepEqual(without(recorded, known), [], 'records without a row');
  assert.deepEqual(without(alive, recorded), [], 'rows without a record');
  assert.deepEqual(without(workloads(held.pods), recorded), [], 'Pods without a record (pullers among them)');
  assert.deepEqual(without(workloads(held.owned), recorded), [], 'Secrets without a record');
  const uids = new Map(held.records.map(({ metadata }) => [metadata?.labels?.[labels.workload] ?? '', metadata?.uid]));
  for (const { metadata } of [...held.pods, ...held.owned])
    assert.equal(
      metadata?.ownerReferences?.[0]?.uid,
      uids.get(metadata?.labels?.[labels.workload] ?? ''),
      `${metadata?.name} belongs to its record`,
    );
  const one = <T extends KubePod | KubeSecret>(objects: T[], { uuid }: Row): T | null =>
    objects.find((object) => workloads([object])[0] === uuid) ?? null;
  for (const row of rows) assertRowTrue(row, one(held.pods, row));
  for (const row of rows) assertNetworks(row, one(held.pods, row), one(held.records, row));
  for (const row of rows) assertLimits(row, one(held.pods, row), one(held.records, row));
  await assertRowsOwn(world, known, held.claims);
  await assertActionsClosed(world);
}

/** How often the command of `works.ts` has been started in a container or capsule, by what its processes have written. */
export async function startsOf(world: FaultsWorld, uuid: string): Promise<number> {
  const wanted = await claimOf(world, uuid);
  const { items } = await list<V1PersistentVolumeClaim>(world, 'persistentvolumeclaims');
  const volume = items.find(({ metadata }) => metadata?.name === wanted)?.spec?.volumeName;
  // Its first Pod brings it about.
  if (volume === undefined) return 0;
  const { spec } = await world.client.request<V1PersistentVolume>({ method: 'GET', path: `/api/v1/persistentvolumes/${volume}` });
  const folder = (spec?.hostPath?.path ?? '').replace('/tmp/hostpath_pv', join(world.cluster.folder, 'volumes'));
  const text = await readFile(join(folder, 'starts'), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

/** The name of the claim of a container's or capsule's volume. */
export async function claimOf({ database: { queries } }: FaultsWorld, uuid: string): Promise<string> {
  const members = queries
    .selectFrom('container as member')
    .innerJoin('container as capsule', 'capsule.id', 'member.capsule_id')
    .select('member.uuid')
    .where('capsule.uuid', '=', uuid);
  const row = await queries
    .selectFrom('volume_mapping')
    .innerJoin('volume', 'volume.id', 'volume_mapping.volume_id')
    .select('volume.uuid')
    .where('volume_provider', '!=', 'local')
    .where((is) => is.or([is('container_uuid', '=', uuid), is('container_uuid', 'in', members)]))
    .executeTakeFirst();
  if (!row) throw new Error(`${uuid} has no volume`);
  return `zun-${row.uuid}`;
}

/** What is in the cluster once nothing there is about to come or to go. */
async function atRest(world: FaultsWorld): Promise<Holdings> {
  let moving: (string | undefined)[] = [];
  const look = async () => {
    const [pods, secrets, claims] = await Promise.all([
      list<KubePod>(world, 'pods'),
      list<KubeSecret>(world, 'secrets'),
      list<V1PersistentVolumeClaim>(world, 'persistentvolumeclaims'),
    ]);
    const going = [...pods.items, ...secrets.items, ...claims.items].filter(({ metadata }) => metadata?.deletionTimestamp !== undefined);
    moving = [...going, ...pods.items.filter(isMoving)].map(({ metadata }) => metadata?.name);
    if (moving.length > 0) return null;
    const isRecord = ({ metadata }: KubeSecret) => metadata?.labels?.[labels.kind] !== undefined;
    return {
      pods: pods.items,
      records: secrets.items.filter(isRecord),
      owned: secrets.items.filter((secret) => !isRecord(secret)),
      claims: claims.items,
    };
  };
  return await until('nothing in the cluster moves', look, 120_000).catch((cause) => {
    throw new Error(`coming or going: ${moving.join(', ')}\n${world.log}`, { cause });
  });
}

/** A Pod is Pending, or Running, for a while after all of its containers have ended. */
function isMoving({ status }: KubePod): boolean {
  const runs = status?.containerStatuses?.some(({ state }) => state?.running) ?? false;
  return status?.phase === 'Pending' || (status?.phase === 'Running' && !runs);
}

function list<T>({ client, instance }: FaultsWorld, resource: string): Promise<{ items: T[] }> {
  return client.request({ method: 'GET', path: `/api/v1/${resource}`, query: { labelSelector: `${labels.instance}=${instance}` } });
}

async function rowsOf({ database }: FaultsWorld): Promise<Row[]> {
  const rows = await database.queries
    .selectFrom('container')
    .select(['uuid', 'status', 'task_state as taskState', 'status_reason as statusReason', 'cpu', 'addresses'])
    .where('capsule_id', 'is', null)
    .execute();
  return rows.map((row) => ({
    ...row,
    uuid: row.uuid ?? '',
    status: row.status ?? '',
    addresses: JSON.parse(row.addresses ?? '{}') as Row['addresses'],
  }));
}

function assertRowTrue({ uuid, status, taskState, statusReason }: Row, pod: KubePod | null): void {
  const about = `${uuid} in ${status} (${statusReason}), its Pod ${pod?.status?.phase ?? 'is none'}`;
  assert.equal(taskState, null, about);
  if (status === 'Running') assert.equal(pod?.status?.phase, 'Running', about);
  else if (status === 'Stopped') assert.ok(pod === null || hasEnded(pod), about);
  else if (status === 'Created') assert.equal(pod, null, about);
  else assert.ok(status === 'Error' && statusReason, about);
}

/** What runs, and what the next start makes, is on as many networks as the row says, and asks for those that it is on. */
function assertNetworks({ uuid, status, addresses }: Row, pod: KubePod | null, record: KubeSecret | null): void {
  const recorded = record && recordedSpec(record);
  if (recorded?.kind !== 'container') return;
  const networks = recorded.spec.networks.map(({ engineNetwork }) => engineNetwork);
  assert.equal(networks.length, Object.keys(addresses).length, `networks in the record of ${uuid}: ${networks}`);
  if (status !== 'Running' || !pod) return;
  const [, ...further] = (networkStatus(pod) ?? []).map(({ name }) => name);
  assert.deepEqual(further, networks.slice(1), `networks of the Pod of ${uuid}`);
  assert.deepEqual(
    podSelections(pod).map(({ namespace, name }) => `${namespace}/${name}`),
    further,
    `networks that the Pod of ${uuid} asks for`,
  );
}

/** What runs, and what the next start makes, has the limits of the row. */
function assertLimits({ uuid, status, cpu }: Row, pod: KubePod | null, record: KubeSecret | null): void {
  const recorded = record && recordedSpec(record);
  if (recorded?.kind !== 'container') return;
  assert.equal(recorded.spec.cpu, cpu, `cores in the record of ${uuid}`);
  const main = pod?.spec?.containers.find(({ name }) => name === mainContainer);
  if (status === 'Running') assert.equal(quantityOf(main?.resources?.limits?.cpu ?? ''), cpu, `cores of the Pod of ${uuid}`);
}

/** Volumes, ports and claims on the node are those of the rows. */
async function assertRowsOwn({ database }: FaultsWorld, known: string[], claims: V1PersistentVolumeClaim[]): Promise<void> {
  const { queries } = database;
  const volumes = await queries.selectFrom('volume').select('uuid').where('volume_provider', '!=', 'local').execute();
  assert.deepEqual(
    claims.map(({ metadata }) => metadata?.name).toSorted(),
    volumes.map(({ uuid }) => `zun-${uuid}`).toSorted(),
    'volumes of the cluster and of rows',
  );
  const attachments = await queries.selectFrom('openkeel_local_attachment').select('container_uuid').execute();
  assert.deepEqual(
    without(
      attachments.map((row) => row.container_uuid),
      known,
    ),
    [],
    'attachments without a row',
  );
  const ports = await queries.selectFrom('openkeel_local_port').select('container_uuid').execute();
  assert.deepEqual(ports.map((row) => row.container_uuid).toSorted(), known, 'one port each');
  await assertClaims(queries, known);
}

/**
 * One claim on the node each. A request that was killed between its claim and its row leaves one of nobody, which whoever keeps rows true
 * gives back when it has seen it twice (`repair-claims.ts`).
 */
async function assertClaims(queries: Queries, known: string[]): Promise<void> {
  let consumers: string[] = [];
  const agree = async () => {
    const allocations = await queries.selectFrom('openkeel_local_allocation').select('consumer').execute();
    consumers = allocations.map((row) => row.consumer).toSorted();
    return isDeepStrictEqual(consumers, known) ? true : null;
  };
  await until('claims agree', agree, 60_000).catch(() => assert.deepEqual(consumers, known, 'one claim on the node each'));
}

const without = (some: string[], others: string[]): string[] => some.filter((one) => !others.includes(one));
