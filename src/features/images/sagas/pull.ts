import { imagesOn } from '../../../runtime/images-on.ts';
import type { Saga } from '../../../tasks/saga.ts';
import { recordFailedPull } from '../failed-pull-store.ts';
import type { ImageServices } from '../image-services.ts';
import { deleteImage, setPulled } from '../image-store.ts';

export interface PullPayload {
  repo: string;
  tag: string;
  /** Absent in tasks of an earlier version. */
  host?: string;
}

/** Seconds from the request to giving up. */
export const pullDeadlineSeconds = 3600;

/**
 * Pulls an image and fills its row. A pull that fails leaves no row: `image` has no place for a state or a reason, and one without
 * an id (as the original leaves it) looks for ever like one that is under way. The reason is logged with the request's id, and a
 * `GET` of the image says it for a day with its 404. What an earlier pull brought stays in the store: undoing could take what
 * others use. Origin: zun/compute/manager.py (_do_image_pull).
 */
export function pullSaga({ images, clock, logger }: Pick<ImageServices, 'images' | 'clock' | 'logger'>): Saga<PullPayload> {
  return {
    kind: 'image.pull',
    deadlineSeconds: pullDeadlineSeconds,
    steps: [
      {
        name: 'pull image',
        async run({ payload, data, signal }) {
          const stored = await imagesOn(images, payload.host ?? null).pull(payload.repo, payload.tag, null, signal);
          data.imageId = stored.id;
          data.size = String(stored.sizeBytes);
        },
      },
    ],
    async succeeded(queries, { task, data }) {
      await setPulled(queries, task.subject, { imageId: String(data.imageId), size: String(data.size) }, clock.now());
    },
    async failed(queries, { task, payload }, reason) {
      logger.warn({ image: task.subject, repo: payload.repo, tag: payload.tag, reason }, 'image not pulled');
      await deleteImage(queries, task.subject);
      await recordFailedPull(queries, task.subject, reason, clock.now());
    },
  };
}
