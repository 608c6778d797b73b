import type { Insertable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { insertReturningId } from '../../db/insert-returning-id.ts';
import { type Page, type PageMarker, paginate } from '../../db/page.ts';
import type { Schema } from '../../db/schema.generated.ts';
import { databaseTime } from '../../telemetry/database-time.ts';
import { type Container, containerTypes } from '../containers/container.ts';
import { type ContainerRow, containerFromRow, fullRow } from '../containers/container-row.ts';
import { deleteContainer, type Scope } from '../containers/container-store.ts';
import { deleteContainerVolumes } from '../containers/container-volumes.ts';
import { type Capsule, membersOf, type WholeCapsule } from './capsule.ts';

const memberTypes = [containerTypes.capsuleContainer, containerTypes.capsuleInitContainer];

/** Capsules of that uuid or name, at most two. Two queries. */
export async function findCapsules(queries: Queries, ident: { uuid: string } | { name: string }, scope: Scope): Promise<WholeCapsule[]> {
  let query = capsuleRows(queries);
  query = 'uuid' in ident ? query.where('uuid', '=', ident.uuid) : query.where('name', '=', ident.name);
  if (scope !== 'all-projects') query = query.where('project_id', '=', scope.projectId);
  return withMembers(queries, await query.limit(2).execute());
}

/** One page of capsules. Two queries, however many there are. */
export async function listCapsules(queries: Queries, scope: Scope, page: Page, marker: PageMarker | null): Promise<WholeCapsule[]> {
  let query = capsuleRows(queries);
  if (scope !== 'all-projects') query = query.where('project_id', '=', scope.projectId);
  return withMembers(queries, (await paginate(query, page, marker).execute()) as ContainerRow[]);
}

/** Capsules that are read at a time. */
const pageSize = 500;

/** The capsules of a host, of all hosts for `null`, page by page, so that thousands are never in memory at once. Two queries a page. */
export async function* capsulePages(queries: Queries, host: string | null): AsyncGenerator<WholeCapsule[]> {
  for (let last = 0; ; ) {
    const ofHost = capsuleRows(queries).where('host', host === null ? 'is not' : '=', host);
    const rows = await ofHost.where('id', '>', last).orderBy('id').limit(pageSize).execute();
    if (rows.length > 0) yield await withMembers(queries, rows);
    if (rows.length < pageSize) return;
    last = rows.at(-1)?.id ?? last;
  }
}

/** The capsules of a host, for what is done to all of them. Two queries, and two more a page. */
export async function capsulesOfHost(queries: Queries, host: string | null): Promise<WholeCapsule[]> {
  const all: WholeCapsule[] = [];
  for await (const capsules of capsulePages(queries, host)) all.push(...capsules);
  return all;
}

export async function capsuleByUuid(queries: Queries, uuid: string): Promise<WholeCapsule | null> {
  return (await findCapsules(queries, { uuid }, 'all-projects'))[0] ?? null;
}

/** The uuid of the capsule that a row is or belongs to; `null` for a container of its own, and for none. One query. */
export async function capsuleOf(queries: Queries, uuid: string): Promise<string | null> {
  const row = await queries
    .selectFrom('container')
    .leftJoin('container as owner', 'owner.id', 'container.capsule_id')
    .select(['container.uuid', 'container.container_type as type', 'owner.uuid as owner'])
    .where('container.uuid', '=', uuid)
    .executeTakeFirst();
  return row?.type === containerTypes.capsule ? row.uuid : (row?.owner ?? null);
}

export type NewRow<T> = Omit<T, 'id' | 'updatedAt'>;

/** Adds a capsule with its containers, in their order. */
export async function insertCapsule(queries: Queries, capsule: NewRow<Capsule>, members: NewRow<Container>[]): Promise<void> {
  const created = databaseTime(capsule.createdAt ?? 0);
  const { annotations } = capsule;
  const id = await insertReturningId(queries, 'container', {
    ...fullRow(capsule),
    annotations: annotations === null ? null : JSON.stringify(annotations),
    created_at: created,
    // The original writes the row a second time before it answers.
    updated_at: created,
  });
  for (const member of members) {
    const row: Insertable<Schema['container']> = { ...fullRow(member), capsule_id: id, created_at: created };
    await queries.insertInto('container').values(row).execute();
  }
}

/** Removes a capsule's rows, its containers' and their volumes'. */
export async function deleteCapsule(queries: Queries, uuid: string): Promise<void> {
  const whole = await capsuleByUuid(queries, uuid);
  if (!whole) return;
  for (const member of membersOf(whole)) {
    await deleteContainerVolumes(queries, member.uuid);
    await deleteContainer(queries, member.uuid);
  }
  await deleteContainer(queries, uuid);
}

const capsuleRows = (queries: Queries) => queries.selectFrom('container').selectAll().where('container_type', '=', containerTypes.capsule);

async function withMembers(queries: Queries, rows: ContainerRow[]): Promise<WholeCapsule[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const members = await queries
    .selectFrom('container')
    .selectAll()
    .where('capsule_id', 'in', ids)
    .where('container_type', 'in', memberTypes)
    .orderBy('id')
    .execute();
  const byCapsule = Map.groupBy(members, ({ capsule_id }) => capsule_id);
  return rows.map((row) => {
    const own = byCapsule.get(row.id) ?? [];
    const ofType = (type: number) => own.filter(({ container_type }) => container_type === type).map(containerFromRow);
    return {
      capsule: capsuleFromRow(row),
      initContainers: ofType(containerTypes.capsuleInitContainer),
      containers: ofType(containerTypes.capsuleContainer),
    };
  });
}

function capsuleFromRow(row: ContainerRow): Capsule {
  return { ...containerFromRow(row), annotations: row.annotations ? JSON.parse(row.annotations) : null };
}
