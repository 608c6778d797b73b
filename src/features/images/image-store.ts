import type { Insertable, Selectable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { type Page, type PageMarker, paginate } from '../../db/page.ts';
import type { Schema } from '../../db/schema.generated.ts';
import { databaseTime } from '../../telemetry/database-time.ts';

/** A row of `image`: what a host was asked to pull. `image_id` and `size` (bytes, as text) are set once it has it. */
export type ImageRow = Selectable<Schema['image']>;

/** Whose images: one project's, or everybody's for an admin. */
export type ImageScope = { projectId: string } | 'all-projects';

/** Columns that a list may be sorted by. */
export const imageColumns: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'updated_at',
  'project_id',
  'user_id',
  'uuid',
  'image_id',
  'repo',
  'tag',
  'size',
  'host',
]);

export async function findImage(queries: Queries, uuid: string, scope: ImageScope): Promise<ImageRow | undefined> {
  let query = queries.selectFrom('image').selectAll().where('uuid', '=', uuid);
  if (scope !== 'all-projects') query = query.where('project_id', '=', scope.projectId);
  return query.executeTakeFirst();
}

export async function listImages(queries: Queries, projectId: string, page: Page, marker: PageMarker | null): Promise<ImageRow[]> {
  return paginate(queries.selectFrom('image').selectAll().where('project_id', '=', projectId), page, marker).execute();
}

export async function imageExists(queries: Queries, repo: string, tag: string, host: string): Promise<boolean> {
  const query = queries.selectFrom('image').select('id').where('repo', '=', repo).where('tag', '=', tag).where('host', '=', host);
  return (await query.executeTakeFirst()) !== undefined;
}

export async function insertImage(queries: Queries, row: Insertable<Schema['image']>): Promise<void> {
  await queries.insertInto('image').values(row).execute();
}

/** Notes what the host now holds; a row that is gone stays gone. */
export async function setPulled(queries: Queries, uuid: string, pulled: { imageId: string; size: string }, now: number): Promise<void> {
  const changes = { image_id: pulled.imageId, size: pulled.size, updated_at: databaseTime(now) };
  await queries.updateTable('image').set(changes).where('uuid', '=', uuid).execute();
}

export async function deleteImage(queries: Queries, uuid: string): Promise<void> {
  await queries.deleteFrom('image').where('uuid', '=', uuid).execute();
}
