import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { databaseTime } from '../../../telemetry/database-time.ts';
import type { RegistryServices } from '../registry-services.ts';
import { insertRegistry, type RegistryRow } from '../registry-store.ts';
import { registryView } from '../registry-view.ts';

/** The part of the body its schema has let through. */
interface RegistryBody {
  name?: string;
  domain: string;
  username?: string;
  password?: string;
}

/** Two registries may share a name; only using that name is a conflict. Origin: zun/api/controllers/v1/registries.py (post). */
export function createRegistry(services: RegistryServices): Operation {
  const { policy, database, clock, ids, fernet } = services;
  return {
    route: 'POST /v1/registries',
    async handle({ context, params, baseUrl }) {
      policy.authorize(context, 'registry:create', ownTarget(context));
      const { name = null, domain, username = null, password } = params.registry as RegistryBody;
      const row: Omit<RegistryRow, 'id'> = {
        uuid: ids.uuid(),
        project_id: context.projectId,
        user_id: context.userId,
        name,
        domain,
        username,
        password: password === undefined ? null : fernet.encrypt(password, clock.now()),
        created_at: databaseTime(clock.now()),
        updated_at: null,
      };
      await insertRegistry(database.queries, row);
      return {
        status: 201,
        body: { registry: registryView(policy, context, baseUrl)(row) },
        headers: { location: `${baseUrl}/v1/registries/${row.uuid}` },
      };
    },
  };
}
