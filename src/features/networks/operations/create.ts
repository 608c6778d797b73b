import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { networkAlreadyExists, schemaValidationError } from '../../../errors/catalogue.ts';
import { databaseTime } from '../../../telemetry/database-time.ts';
import type { NetworkServices } from '../network-services.ts';
import { insertNetwork, networkOfHost } from '../network-store.ts';

/**
 * Makes a network known to the engine. Without `neutron_net_id`, which the original answers with 500, the name says which one. One
 * that the engine has already is a conflict (500 in the original). As there, the row's name is the network's, not the request's.
 * Origin: zun/api/controllers/v1/networks.py (post), zun/network/kuryr_network.py (create_network).
 */
export function createNetwork({ policy, database, networking, clock, ids, host }: NetworkServices): Operation {
  return {
    route: 'POST /v1/networks',
    async handle({ context, params }) {
      policy.authorize(context, 'network:create', ownTarget(context));
      const { name, neutron_net_id: ident } = params as { name: string | null; neutron_net_id?: string | null };
      const neutronNetId = ident ?? name;
      if (neutronNetId === null) throw schemaValidationError("'neutron_net_id' is a required property");
      const network = await networking.createNetwork({ neutronNetId, name, projectId: context.projectId });
      const view = {
        uuid: ids.uuid(),
        project_id: context.projectId,
        user_id: context.userId,
        name: network.name,
        network_id: await networking.engineNetwork(network.id),
        neutron_net_id: network.id,
      };
      await database.transaction(async (transaction) => {
        if (await networkOfHost(transaction, network.id, host)) throw networkAlreadyExists('neutron_net_id', network.id);
        await insertNetwork(transaction, { ...view, host, created_at: databaseTime(clock.now()) });
      });
      return { status: 200, body: view };
    },
  };
}
