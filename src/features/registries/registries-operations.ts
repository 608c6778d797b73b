import type { Operation } from '../../api/operation.ts';
import { createRegistry } from './operations/create.ts';
import { deleteRegistry } from './operations/delete.ts';
import { listRegistriesOperation } from './operations/list.ts';
import { showRegistry } from './operations/show.ts';
import { updateRegistryOperation } from './operations/update.ts';
import type { RegistryServices } from './registry-services.ts';

/** The operations of `/v1/registries`. */
export function registriesOperations(services: RegistryServices): Operation[] {
  return [
    listRegistriesOperation(services),
    showRegistry(services),
    createRegistry(services),
    updateRegistryOperation(services),
    deleteRegistry(services),
  ];
}
