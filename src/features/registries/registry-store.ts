import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { type Page, type PageMarker, paginate } from '../../db/page.ts';
import type { Schema } from '../../db/schema.generated.ts';

/** A row of `registry`. `password` is a Fernet token, or `null`. */
export type RegistryRow = Selectable<Schema['registry']>;

/** Whose registries: one project's, or everybody's for an admin. */
export type RegistryScope = { projectId: string } | 'all-projects';

/** Columns that a list may be sorted by. */
export const registryColumns: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'updated_at',
  'project_id',
  'user_id',
  'uuid',
  'name',
  'domain',
  'username',
  'password',
]);

/** What a list may be narrowed by. Origin: zun/db/sqlalchemy/api.py (_add_registries_filters). */
export const registryFilters = ['name', 'domain', 'username', 'project_id', 'user_id'] as const;
export type RegistryFilters = Partial<Record<(typeof registryFilters)[number], string | string[]>>;

/** At most two, which is enough to see that a name is not unique. */
export async function findRegistries(
  queries: Queries,
  ident: { uuid: string } | { name: string },
  scope: RegistryScope,
): Promise<RegistryRow[]> {
  let query = queries.selectFrom('registry').selectAll();
  query = 'uuid' in ident ? query.where('uuid', '=', ident.uuid) : query.where('name', '=', ident.name);
  if (scope !== 'all-projects') query = query.where('project_id', '=', scope.projectId);
  return query.limit(2).execute();
}

export async function registryById(queries: Queries, id: number): Promise<RegistryRow | undefined> {
  return queries.selectFrom('registry').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function listRegistries(
  queries: Queries,
  scope: RegistryScope,
  filters: RegistryFilters,
  page: Page,
  marker: PageMarker | null,
): Promise<RegistryRow[]> {
  let query = queries.selectFrom('registry').selectAll();
  if (scope !== 'all-projects') query = query.where('project_id', '=', scope.projectId);
  for (const name of registryFilters) {
    const value = filters[name];
    if (value !== undefined) query = Array.isArray(value) ? query.where(name, 'in', value) : query.where(name, '=', value);
  }
  return paginate(query, page, marker).execute();
}

export async function insertRegistry(queries: Queries, row: Insertable<Schema['registry']>): Promise<void> {
  await queries.insertInto('registry').values(row).execute();
}

export async function updateRegistry(queries: Queries, id: number, changes: Updateable<Schema['registry']>): Promise<void> {
  await queries.updateTable('registry').set(changes).where('id', '=', id).execute();
}

/** `false` when a container still names it. Call it in a transaction. */
export async function deleteUnusedRegistry(queries: Queries, id: number): Promise<boolean> {
  const user = await queries.selectFrom('container').select('id').where('registry_id', '=', id).limit(1).executeTakeFirst();
  if (user) return false;
  await queries.deleteFrom('registry').where('id', '=', id).execute();
  return true;
}
