import type { Operation } from '../../../api/operation.ts';
import { databaseTime } from '../../../telemetry/database-time.ts';
import { loadRegistry } from '../load-registry.ts';
import type { RegistryServices } from '../registry-services.ts';
import { type RegistryRow, updateRegistry } from '../registry-store.ts';
import { registryView } from '../registry-view.ts';

/** Origin: zun/api/controllers/v1/registries.py (patch). */
export function updateRegistryOperation(services: RegistryServices): Operation {
  const { policy, database, clock, fernet } = services;
  return {
    route: 'PATCH /v1/registries/{registry_ident}',
    async handle(request) {
      const row = await loadRegistry(services, request, 'registry:update');
      const asked = request.params.registry as Partial<Record<'name' | 'domain' | 'username' | 'password', string>>;
      const changes: Partial<RegistryRow> = { ...asked };
      if (asked.password !== undefined) changes.password = fernet.encrypt(asked.password, clock.now());
      if (Object.keys(changes).length > 0) {
        await updateRegistry(database.queries, row.id, { ...changes, updated_at: databaseTime(clock.now()) });
      }
      return { status: 200, body: { registry: registryView(policy, request.context, request.baseUrl)({ ...row, ...changes }) } };
    },
  };
}
