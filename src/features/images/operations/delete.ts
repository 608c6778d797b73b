import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { imagesOn } from '../../../runtime/images-on.ts';
import { orEngineRefusal } from '../engine-refusal.ts';
import type { ImageServices } from '../image-services.ts';
import { deleteImage } from '../image-store.ts';
import { loadImage } from '../load-image.ts';

/**
 * Removes an image from its host and then its row; 409 with the engine's words while a container uses it, where the original drops
 * the row and leaves the image. One that is still being pulled is given up. Origin: zun/api/controllers/v1/images.py (delete).
 */
export function deleteImageOperation(services: ImageServices): Operation {
  const { policy, database, tasks, taskSignal, images } = services;
  return {
    route: 'DELETE /v1/images/{image_id}',
    async handle(request) {
      policy.authorize(request.context, 'image:delete', ownTarget(request.context));
      const row = await loadImage(services, request);
      const uuid = row.uuid ?? '';
      if (row.image_id !== null) await orEngineRefusal(imagesOn(images, row.host).remove(`${row.repo}:${row.tag}`));
      await database.transaction(async (transaction) => {
        await tasks.cancel(transaction, uuid);
        await deleteImage(transaction, uuid);
      });
      taskSignal.cancel(uuid);
      return { status: 200 };
    },
  };
}
