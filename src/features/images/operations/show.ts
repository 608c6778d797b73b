import type { Operation } from '../../../api/operation.ts';
import type { ImageServices } from '../image-services.ts';
import { imageView } from '../image-view.ts';
import { loadImage } from '../load-image.ts';

/** Origin: zun/api/controllers/v1/images.py (get_one). */
export function showImage(services: ImageServices): Operation {
  return {
    route: 'GET /v1/images/{image_id}',
    async handle(request) {
      const row = await loadImage(services, request);
      const target = { project_id: row.project_id ?? '', user_id: row.user_id ?? '' };
      services.policy.authorize(request.context, 'image:get_one', target);
      return { status: 200, body: imageView(row, request.baseUrl) };
    },
  };
}
