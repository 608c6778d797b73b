import { imagesOn } from '../../../runtime/images-on.ts';
import type { Saga } from '../../../tasks/saga.ts';
import { recordCommittedImage } from '../committed-image.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid } from '../container-store.ts';
import { keepWithReason } from './keep-with-reason.ts';

export interface CommitPayload {
  repository: string;
  tag: string;
  /** Under which the image is listed; the request has answered it. */
  imageUuid: string;
  /** Where the container is; absent in tasks of an earlier version. */
  host?: string | null;
}

/** From request to giving up: packing a large filesystem takes minutes. */
export const commitDeadlineSeconds = 1800;

/** An image of the container's filesystem, in the node's store and in the project's list. The container stays what it was. */
export function commitSaga(services: ContainerServices): Saga<CommitPayload> {
  return {
    kind: 'container.commit',
    deadlineSeconds: commitDeadlineSeconds,
    steps: [
      {
        name: 'commit',
        async run({ task, payload, data, signal }) {
          const { imageId } = await services.runtime.commit(task.subject, payload.repository, payload.tag, signal);
          data.imageId = imageId;
          data.sizeBytes = (await imagesOn(services.images, payload.host ?? null).find(imageId, signal))?.sizeBytes ?? 0;
        },
      },
    ],
    async succeeded(queries, { task, payload, data }) {
      const container = await containerByUuid(queries, task.subject);
      if (!container) return;
      const { repository, tag, imageUuid: uuid } = payload;
      const image = { uuid, repository, tag, imageId: String(data.imageId), sizeBytes: Number(data.sizeBytes) };
      await recordCommittedImage(queries, container, image, services.clock.now());
    },
    failed: (queries, { task, payload }, reason) =>
      keepWithReason(services, queries, task.subject, `Commit of ${payload.repository}:${payload.tag} failed: ${reason}`),
  };
}
