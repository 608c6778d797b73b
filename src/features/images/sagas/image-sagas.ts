import type { Saga } from '../../../tasks/saga.ts';
import type { ImageServices } from '../image-services.ts';
import { pullSaga } from './pull.ts';

/** The tasks of the images feature. */
export function imageSagas(services: Pick<ImageServices, 'images' | 'clock' | 'logger'>): Saga[] {
  return [pullSaga(services) as Saga];
}
