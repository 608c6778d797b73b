import type { Operation } from '../../api/operation.ts';
import type { ImageServices } from './image-services.ts';
import { deleteImageOperation } from './operations/delete.ts';
import { listImagesOperation } from './operations/list.ts';
import { pullImage } from './operations/pull.ts';
import { searchImages } from './operations/search.ts';
import { showImage } from './operations/show.ts';

/** The operations of `/v1/images`. */
export function imagesOperations(services: ImageServices): Operation[] {
  return [listImagesOperation(services), showImage(services), pullImage(services), deleteImageOperation(services), searchImages(services)];
}
