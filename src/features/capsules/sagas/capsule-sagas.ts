import type { Saga } from '../../../tasks/saga.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { createSaga } from './create.ts';
import { deleteSaga } from './delete.ts';
import { repairSaga } from './repair.ts';

/** Every task of the capsules feature, by kind. */
export function capsuleSagas(services: CapsuleServices): Saga<never>[] {
  return [createSaga(services), deleteSaga(services), repairSaga(services)] as Saga<never>[];
}
