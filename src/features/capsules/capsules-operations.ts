import type { Operation } from '../../api/operation.ts';
import type { CapsuleServices } from './capsule-services.ts';
import { create } from './operations/create.ts';
import { deleteOperation } from './operations/delete.ts';
import { list } from './operations/list.ts';
import { show } from './operations/show.ts';

/** The operations of `/v1/capsules`; each serves the shapes before and since 1.32. */
export function capsulesOperations(services: CapsuleServices): Operation[] {
  return [create(services), deleteOperation(services), list(services), show(services)];
}
