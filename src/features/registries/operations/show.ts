import type { Operation } from '../../../api/operation.ts';
import { loadRegistry } from '../load-registry.ts';
import type { RegistryServices } from '../registry-services.ts';
import { registryView } from '../registry-view.ts';

/** Origin: zun/api/controllers/v1/registries.py (get_one). */
export function showRegistry(services: RegistryServices): Operation {
  return {
    route: 'GET /v1/registries/{registry_ident}',
    async handle(request) {
      const row = await loadRegistry(services, request, 'registry:get_one');
      return { status: 200, body: { registry: registryView(services.policy, request.context, request.baseUrl)(row) } };
    },
  };
}
