import type { Insertable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { insertReturningId } from '../../db/insert-returning-id.ts';
import { type Page, type PageMarker, paginate } from '../../db/page.ts';
import type { Schema } from '../../db/schema.generated.ts';
import { conflict, registryNotFound } from '../../errors/catalogue.ts';
import { isUuidLike } from '../../rules/uuid-like.ts';
import { databaseTime } from '../../telemetry/database-time.ts';
import { type Container, type ContainerChanges, containerTypes } from './container.ts';
import { type ContainerRow, containerColumns, containerFromRow, fullRow, rowFromContainer } from './container-row.ts';

/** Column filters of a list; a list of values matches any of them. */
export type ContainerFilters = Partial<Record<keyof ContainerRow, string | string[] | number | boolean>>;

/** Whose containers: one project's, or everybody's for an admin. */
export type Scope = { projectId: string } | 'all-projects';

/** A container with the public uuid of its registry, which views show instead of the internal id. */
export interface ContainerWithRegistry {
  container: Container;
  registryUuid: string | null;
}

/** Reads of containers. Each is one query. */
export async function findContainers(
  queries: Queries,
  ident: { uuid: string } | { name: string },
  scope: Scope,
): Promise<ContainerWithRegistry[]> {
  let query = withRegistry(queries).where('container.container_type', '=', containerTypes.container);
  query = 'uuid' in ident ? query.where('container.uuid', '=', ident.uuid) : query.where('container.name', '=', ident.name);
  if (scope !== 'all-projects') query = query.where('container.project_id', '=', scope.projectId);
  return (await query.limit(2).execute()).map(fromJoined);
}

export async function listContainers(
  queries: Queries,
  scope: Scope,
  filters: ContainerFilters,
  page: Page,
  marker: PageMarker | null,
): Promise<ContainerWithRegistry[]> {
  let query = withRegistry(queries).where('container.container_type', '=', containerTypes.container);
  if (scope !== 'all-projects') query = query.where('container.project_id', '=', scope.projectId);
  for (const [column, value] of Object.entries(filters)) {
    const reference = `container.${column}` as 'container.uuid';
    query = Array.isArray(value) ? query.where(reference, 'in', value) : query.where(reference, '=', value as string);
  }
  const qualified = { ...page, sortKey: `container.${page.sortKey}` };
  return (await paginate(query as never, qualified, marker, 'container.id').execute()).map((row) => fromJoined(row as JoinedRow));
}

/** Columns a list may be sorted by. */
export const sortableColumns: ReadonlySet<string> = new Set([...containerColumns, 'id', 'created_at', 'updated_at']);

/** Where a page after this container begins; `null` when the caller may not know of it. */
export async function markerOf(queries: Queries, uuid: string, scope: Scope, sortKey: string): Promise<PageMarker | null> {
  if (!sortableColumns.has(sortKey)) return { key: null, tie: 0 };
  let query = queries
    .selectFrom('container')
    .select(['id', sortKey as 'uuid'])
    .where('uuid', '=', uuid);
  if (scope !== 'all-projects') query = query.where('project_id', '=', scope.projectId);
  const row = await query.executeTakeFirst();
  return row ? { key: row[sortKey as 'uuid'], tie: row.id } : null;
}

export async function containerByUuid(queries: Queries, uuid: string): Promise<Container | null> {
  const row = await queries.selectFrom('container').selectAll().where('uuid', '=', uuid).executeTakeFirst();
  return row ? containerFromRow(row) : null;
}

/** Containers of a host, for state sync. */
export async function containersOfHost(queries: Queries, host: string | null, filter: { status?: string } = {}): Promise<Container[]> {
  let query = queries.selectFrom('container').selectAll().where('container_type', '=', containerTypes.container);
  // One that is not placed yet has no workload.
  query = host === null ? query.where('host', 'is not', null) : query.where('host', '=', host);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  return (await query.execute()).map(containerFromRow);
}

/** What is placed on a host and has a claim there: containers and capsules, by uuid. */
export async function placedOn(
  queries: Queries,
  host: string,
): Promise<Map<string, Pick<Container, 'containerType' | 'cpu' | 'memory' | 'disk'>>> {
  const rows = await queries
    .selectFrom('container')
    .select(['uuid', 'container_type', 'cpu', 'memory', 'disk'])
    .where('host', '=', host)
    .where('container_type', 'in', [containerTypes.container, containerTypes.capsule])
    .execute();
  return new Map(
    rows.map(({ uuid, container_type: containerType, cpu, memory, disk }) => [
      uuid ?? '',
      { containerType: containerType ?? containerTypes.container, cpu, memory, disk },
    ]),
  );
}

export async function insertContainer(queries: Queries, container: Omit<Container, 'id' | 'updatedAt'>): Promise<number> {
  const row: Insertable<Schema['container']> = { ...fullRow(container), created_at: databaseTime(container.createdAt ?? 0) };
  return insertReturningId(queries, 'container', row);
}

/** Writes the given fields; `false` when the row is gone. */
export async function updateContainer(queries: Queries, uuid: string, changes: ContainerChanges, now: number): Promise<boolean> {
  const result = await queries
    .updateTable('container')
    .set({ ...rowFromContainer(changes), updated_at: databaseTime(now) })
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Removes the row with its actions, events, exec instances and volume mappings. */
export async function deleteContainer(queries: Queries, uuid: string): Promise<void> {
  await queries.deleteFrom('volume_mapping').where('container_uuid', '=', uuid).execute();
  await queries.deleteFrom('container').where('uuid', '=', uuid).execute();
}

const withRegistry = (queries: Queries) =>
  queries
    .selectFrom('container')
    .leftJoin('registry', 'registry.id', 'container.registry_id')
    .selectAll('container')
    .select('registry.uuid as registry_uuid');

type JoinedRow = ContainerRow & { registry_uuid: string | null };

const fromJoined = (row: JoinedRow): ContainerWithRegistry => ({ container: containerFromRow(row), registryUuid: row.registry_uuid });

/** Whether a compute node of that name exists. */
export async function hostExists(queries: Queries, hostname: string): Promise<boolean> {
  const row = await queries.selectFrom('compute_node').select('uuid').where('hostname', '=', hostname).executeTakeFirst();
  return row !== undefined;
}

/** The registry a create names by uuid or name. 404 when the project has none, 409 when two share the name. */
export async function registryOf(
  queries: Queries,
  ident: string,
  caller: { projectId: string },
): Promise<{ id: number; uuid: string | null }> {
  const rows = await queries
    .selectFrom('registry')
    .select(['id', 'uuid'])
    .where(isUuidLike(ident) ? 'uuid' : 'name', '=', ident)
    .where('project_id', '=', caller.projectId)
    .limit(2)
    .execute();
  const [registry, second] = rows;
  if (!registry) throw registryNotFound(ident);
  if (second) throw conflict('Multiple registries exist with same name. Please use the registry uuid instead.');
  return registry;
}

/** Every container, capsule and capsule member: who may hold a claim. */
export async function containerUuids(queries: Queries): Promise<Set<string>> {
  const rows = await queries.selectFrom('container').select('uuid').execute();
  return new Set(rows.flatMap(({ uuid }) => (uuid === null ? [] : [uuid])));
}
