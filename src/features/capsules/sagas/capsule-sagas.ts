import type { Saga } from '../../../tasks/saga.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { createSaga } from './create.ts';
import { deleteSaga } from './delete.ts';

/** Every task of the capsules feature, by kind. */
export function capsuleSagas(services: CapsuleServices): Saga<never>[] {
  return [createSaga(services), deleteSaga(services)] as Saga<never>[];
}
