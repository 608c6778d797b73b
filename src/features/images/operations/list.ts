import { ownTarget } from '../../../api/authorizer.ts';
import { nextLink } from '../../../api/links.ts';
import { listPage } from '../../../api/list-page.ts';
import type { Operation } from '../../../api/operation.ts';
import { imageNotFound } from '../../../errors/catalogue.ts';
import type { ImageServices } from '../image-services.ts';
import { findImage, type ImageRow, imageColumns, listImages } from '../image-store.ts';
import { imageView } from '../image-view.ts';

/** The caller's project's own images, an admin's too. Origin: zun/api/controllers/v1/images.py (get_all). */
export function listImagesOperation({ policy, database, maxLimit }: ImageServices): Operation {
  const markerOf = async (uuid: string, projectId: string, sortKey: string) => {
    const row = await findImage(database.queries, uuid, { projectId });
    if (!row) throw imageNotFound(uuid);
    return { key: row[sortKey as keyof ImageRow], tie: row.id };
  };
  return {
    route: 'GET /v1/images',
    async handle({ context, query, baseUrl }) {
      policy.authorize(context, 'image:get_all', ownTarget(context));
      const { page, marker } = listPage(query, { maxLimit, defaultSortKey: 'id', sortKeys: imageColumns });
      const start = marker === null ? null : await markerOf(marker, context.projectId, page.sortKey);
      const rows = await listImages(database.queries, context.projectId, page, start);
      const uuids = rows.map((row) => row.uuid ?? '');
      const next = nextLink(baseUrl, 'images', page, uuids);
      return { status: 200, body: { images: rows.map((row) => imageView(row, baseUrl)), next } };
    },
  };
}
