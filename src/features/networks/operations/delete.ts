import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { networkNotFound } from '../../../errors/catalogue.ts';
import type { NetworkServices } from '../network-services.ts';
import { deleteNetwork, findNetworks } from '../network-store.ts';

/**
 * Named by `neutron_net_id`, or by its name; the uuid of the row is not found, as in the original. 409 while a container is on it.
 * Origin: zun/api/controllers/v1/networks.py (delete).
 */
export function deleteNetworkOperation({ policy, database, networking }: NetworkServices): Operation {
  return {
    route: 'DELETE /v1/networks/{network_ident}',
    async handle({ context, path }) {
      policy.authorize(context, 'network:delete', ownTarget(context));
      const ident = path.network_ident ?? '';
      const [row] = await findNetworks(database.queries, ident);
      if (!row) throw networkNotFound(ident);
      await networking.deleteNetwork(row.neutron_net_id ?? '');
      await deleteNetwork(database.queries, row.id);
      return { status: 204 };
    },
  };
}
