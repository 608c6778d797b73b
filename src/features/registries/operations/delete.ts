import type { Operation } from '../../../api/operation.ts';
import { conflict } from '../../../errors/catalogue.ts';
import { loadRegistry } from '../load-registry.ts';
import type { RegistryServices } from '../registry-services.ts';
import { deleteUnusedRegistry } from '../registry-store.ts';

/** Origin: zun/api/controllers/v1/registries.py (delete), zun/db/sqlalchemy/api.py (destroy_registry). */
export function deleteRegistry(services: RegistryServices): Operation {
  return {
    route: 'DELETE /v1/registries/{registry_ident}',
    async handle(request) {
      const row = await loadRegistry(services, request, 'registry:delete');
      const deleted = await services.database.transaction((transaction) => deleteUnusedRegistry(transaction, row.id));
      if (!deleted) throw conflict(`Failed to delete registry ${row.uuid} since it is in use.`);
      return { status: 204 };
    },
  };
}
