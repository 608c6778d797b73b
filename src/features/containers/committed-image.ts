import type { Queries } from '../../db/database.ts';
import { databaseTime } from '../../telemetry/database-time.ts';
import { insertImage, setPulled } from '../images/image-store.ts';
import type { Container } from './container.ts';

/** The uuid under which a project knows `repository:tag` of a host already; `null` for a name that is new to it. */
export async function knownImageUuid(
  queries: Queries,
  container: Pick<Container, 'projectId' | 'host'>,
  repository: string,
  tag: string,
): Promise<string | null> {
  const row = await imageOfName(queries, container.host, repository, tag);
  return row?.project_id === container.projectId ? row.uuid : null;
}

/** `repository:tag` of an image of the container's project on its host, by the uuid that the commit answered or by its repository. */
export async function committedReference(
  queries: Queries,
  container: Pick<Container, 'projectId' | 'host'>,
  ident: string,
): Promise<string | null> {
  const row = await queries
    .selectFrom('image')
    .select(['repo', 'tag'])
    .where('project_id', '=', container.projectId)
    .where('host', '=', container.host)
    .where((either) => either.or([either('uuid', '=', ident), either('repo', '=', ident)]))
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row ? `${row.repo}:${row.tag}` : null;
}

/**
 * Lists a committed image among the project's images. A name that another project's row has already stays that row's: a host
 * has one image of a name.
 */
export async function recordCommittedImage(
  queries: Queries,
  container: Pick<Container, 'projectId' | 'userId' | 'host'>,
  image: { uuid: string; repository: string; tag: string; imageId: string; sizeBytes: number },
  now: number,
): Promise<void> {
  const { repository, tag, imageId } = image;
  const size = String(image.sizeBytes);
  const row = await imageOfName(queries, container.host, repository, tag);
  if (row && row.project_id !== container.projectId) return;
  if (row?.uuid) return setPulled(queries, row.uuid, { imageId, size }, now);
  const owner = { project_id: container.projectId, user_id: container.userId, host: container.host };
  const made = { uuid: image.uuid, repo: repository, tag, image_id: imageId, size, created_at: databaseTime(now) };
  await insertImage(queries, { ...owner, ...made });
}

function imageOfName(queries: Queries, host: string | null, repository: string, tag: string) {
  return queries
    .selectFrom('image')
    .select(['uuid', 'project_id'])
    .where('repo', '=', repository)
    .where('tag', '=', tag)
    .where('host', '=', host)
    .executeTakeFirst();
}
