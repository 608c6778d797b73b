import { resourceLinks } from '../../api/links.ts';
import type { ImageRow } from './image-store.ts';

/** Origin: zun/api/controllers/v1/views/images_view.py. */
export function imageView(row: Omit<ImageRow, 'id'>, baseUrl: string): unknown {
  return {
    uuid: row.uuid,
    links: resourceLinks(baseUrl, 'images', row.uuid ?? ''),
    image_id: row.image_id,
    project_id: row.project_id,
    repo: row.repo,
    tag: row.tag,
    size: row.size,
    host: row.host,
  };
}
